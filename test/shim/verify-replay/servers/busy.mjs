// Says who listens for signals, and has no time for them.
process.send(['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => process.listenerCount(signal)).join(), () => {
    for (const end = Date.now() + 60_000; Date.now() < end;);
});
