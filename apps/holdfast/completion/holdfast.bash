# Completion for bash: installed as share/bash-completion/completions/holdfast.
_holdfast() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-} options
    case $before in
        --config | --password-file | --ca | --cert | --key)
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
            return
            ;;
        --data)
            mapfile -t COMPREPLY < <(compgen -d -- "$word")
            return
            ;;
        --store)
            mapfile -t COMPREPLY < <(compgen -W "memory: sqlite: jdbc:sqlite:" -- "$word")
            return
            ;;
        --layout)
            mapfile -t COMPREPLY < <(compgen -W "snowflake snowflake-seconds js-safe js-safe-seconds string" -- "$word")
            return
            ;;
        --listen | --only | --sequences | --seed | --count | -n | --generator | --url | --timeout | --password-env | --callers | --value-bytes | --seconds) return ;;
    esac
    if ((COMP_CWORD == 1)); then
        options="serve config ids redis tck --help --version"
    else
        case $command in
            serve) options="--config --data --listen --help" ;;
            config)
                if ((COMP_CWORD == 2)); then
                    options="check show explain --help"
                elif [[ ${COMP_WORDS[2]} == show ]]; then
                    options="--config --data --listen --json --help"
                else
                    options="--config --data --listen --help"
                fi
                ;;
            ids)
                if ((COMP_CWORD == 2)); then
                    options="next parse describe leases --help"
                else
                    case ${COMP_WORDS[2]} in
                        next) options="--config --data --listen --count --text --json --help" ;;
                        parse) options="--config --data --listen --generator --layout --text --json --help" ;;
                        describe) options="--config --data --listen --json --help" ;;
                        leases) options="--url --data --json --help" ;;
                    esac
                fi
                ;;
            redis)
                if ((COMP_CWORD == 2)); then
                    options="ping info bench --help"
                else
                    options="--password-file --password-env --ca --cert --key --timeout --json --help"
                    case ${COMP_WORDS[2]} in
                        ping) options+=" --count" ;;
                        info) options+=" --strict" ;;
                        bench) options+=" --callers --value-bytes --seconds" ;;
                    esac
                fi
                ;;
            tck) options="--store --only --sequences --seed --json --help" ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}
complete -F _holdfast holdfast
