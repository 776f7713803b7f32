# Completion for bash: installed as share/bash-completion/completions/holdfast.
_holdfast() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-} options
    case $before in
        --config)
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
        --listen | --only | --sequences | --seed) return ;;
    esac
    if ((COMP_CWORD == 1)); then
        options="serve config tck --help --version"
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
            tck) options="--store --only --sequences --seed --json --help" ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}
complete -F _holdfast holdfast
