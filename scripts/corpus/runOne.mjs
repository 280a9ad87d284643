// The process that `measure` starts: one migration or check, so that its memory is its own.
import { check, commit, migrate } from '../../dist/codemods/index.js';

process.once('message', ({ command, folder, write, paths }) => {
    process.send(run(command, { cwd: folder, paths }, write), () => process.disconnect());
});

function run(command, target, write) {
    const start = performance.now();
    try {
        const { changes, ...result } = command === 'check' ? { report: check(target) } : migrate(target);
        const seconds = (performance.now() - start) / 1000;
        if (write) commit(changes);
        return { report: result.report, seconds, megabytes: process.resourceUsage().maxRSS / 1024 };
    } catch (error) {
        return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
}
