// The process that `measure` starts: one migration, so that its memory is its own.
import { commit, migrate } from '../../dist/codemods/index.js';

process.once('message', ({ folder, write, paths }) => {
    process.send(run(folder, write, paths), () => process.disconnect());
});

function run(folder, write, paths) {
    const start = performance.now();
    try {
        const { report, changes } = migrate({ cwd: folder, paths });
        const seconds = (performance.now() - start) / 1000;
        if (write) commit(changes);
        return { report, seconds, megabytes: process.resourceUsage().maxRSS / 1024 };
    } catch (error) {
        return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
}
