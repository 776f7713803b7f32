// fred: tasks of one thread share a connection.

use callers::{Watch, Work};
use fred::prelude::*;
use std::sync::Arc;

async fn caller(client: Client, work: Arc<Work>, number: usize) {
    for turn in 0..work.each() {
        let value: String = client.get(work.key(number, turn)).await.unwrap();
        assert_eq!(value.len(), 32);
    }
}

async fn pass(client: &Client, work: &Arc<Work>) {
    let tasks: Vec<_> = (0..work.callers)
        .map(|number| tokio::spawn(caller(client.clone(), work.clone(), number)))
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn run() {
    let work = Arc::new(Work::from_arguments());
    let client = Builder::from_config(Config::from_url(&work.address).unwrap())
        .build()
        .unwrap();
    client.init().await.unwrap();
    pass(&client, &work).await;
    let watch = Watch::start();
    pass(&client, &work).await;
    watch.print(work.operations);
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(run());
}
