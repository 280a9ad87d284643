import type { Act, RoundRecord } from './round-record.js';

/** `fs.rmSync`, `fs.promises.unlink`. */
const REMOVES = /\.(?:rm|rmdir|unlink)(?:Sync)?$/;
const DELETES = /^DELETE /;

/** Whether the frame took it for as long as it ran, as a lock or a folder for temporary files, and has given it back. */
export function isHeld(record: RoundRecord, act: Act): boolean {
    return act.kind === 'effect' && record.released.some(release => releases(release, act));
}

/** Whether an unwinding frame gives something back: it removes it, or does the second thing to what it did one to before. */
export function isRelease(record: RoundRecord, act: Act): boolean {
    if (REMOVES.test(act.api) || DELETES.test(act.target ?? '')) return true;
    return record.acts().some(taken => taken.kind === 'effect' && releases(act, taken));
}

function releases(release: Act, taken: Act): boolean {
    const [given, got] = [subjectOf(release), subjectOf(taken)];
    if (given === undefined || got === undefined) return false;
    if (given === got) return true;
    // `mkdtemp` knows the beginning of the name; and what lies in a folder goes with it.
    if (taken.api.includes('mkdtemp')) return given.startsWith(got);
    return REMOVES.test(release.api) && /^[\\/]/.test(got.slice(given.length)) && got.startsWith(given);
}

/** What it is done to, without the method of a request. */
function subjectOf({ target }: Act): string | undefined {
    return target?.replace(/^[A-Z]+ /, '');
}
