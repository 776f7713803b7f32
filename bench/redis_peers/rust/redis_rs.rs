// redis-rs: tasks of one thread share a multiplexed connection.

use callers::{Watch, Work};
use redis::aio::MultiplexedConnection;
use redis::AsyncCommands;
use std::rc::Rc;
use tokio::task::{spawn_local, LocalSet};

async fn caller(mut connection: MultiplexedConnection, work: Rc<Work>, number: usize) {
    for turn in 0..work.each() {
        let value: String = connection.get(work.key(number, turn)).await.unwrap();
        assert_eq!(value.len(), 32);
    }
}

async fn pass(connection: &MultiplexedConnection, work: &Rc<Work>) {
    let tasks: Vec<_> = (0..work.callers)
        .map(|number| spawn_local(caller(connection.clone(), work.clone(), number)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn run() {
    let work = Rc::new(Work::from_arguments());
    let client = redis::Client::open(work.address.as_str()).unwrap();
    let connection = client.get_multiplexed_async_connection().await.unwrap();
    pass(&connection, &work).await;
    let watch = Watch::start();
    pass(&connection, &work).await;
    watch.print(work.operations);
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    LocalSet::new().block_on(&runtime, run());
}
