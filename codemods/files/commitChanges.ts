import { randomBytes } from 'node:crypto';
import {
    closeSync,
    fchmodSync,
    fchownSync,
    fsyncSync,
    openSync,
    renameSync,
    rmSync,
    statSync,
    writeFileSync
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { problemWith } from './commitProblems.js';
import { reasonOf } from './readSource.js';

export interface FileChange {
    /** As reports print it. */
    path: string;
    absolutePath: string;
    /** The text as it was read; absent for a new file. */
    before: string | undefined;
    after: string;
    /** Files of one group are written together or not at all. */
    group: string;
}

export interface CommitResult {
    /** `path` of every file that now has its new text, in the order given. */
    written: string[];
    /** Every file that does not, with the reason, its own or that of the file that held the group up. */
    refused: { path: string; reason: string }[];
}

/**
 * Writes changes to disk. Each file is replaced in one step (written beside itself, synced, renamed over the old one), so
 * an interrupted run leaves old files and new files, never half of one. A group is looked at as a whole before its
 * first file is touched; if a later one fails all the same, the earlier ones get their old text back.
 */
export function commitChanges(changes: readonly FileChange[]): CommitResult {
    const result: CommitResult = { written: [], refused: [] };
    for (const group of groupsOf(changes)) {
        const failure = commitGroup(group);
        if (!failure) result.written.push(...group.map(({ path }) => path));
        else result.refused.push(...group.map(change => ({ path: change.path, reason: reasonFor(change, failure) })));
    }
    return result;
}

interface Failure {
    change: FileChange;
    reason: string;
}

function reasonFor(change: FileChange, { change: culprit, reason }: Failure): string {
    return change === culprit ? reason : `not written, because ${culprit.path} ${reason}`;
}

function groupsOf(changes: readonly FileChange[]): FileChange[][] {
    const groups = new Map<string, FileChange[]>();
    for (const change of changes) groups.set(change.group, [...(groups.get(change.group) ?? []), change]);
    return [...groups.values()];
}

function commitGroup(group: readonly FileChange[]): Failure | undefined {
    const unsafe = firstProblem(group);
    if (unsafe) return unsafe;

    const staged: { change: FileChange; temporary: string }[] = [];
    const renamed: FileChange[] = [];
    let current = group[0];
    try {
        for (const change of group) {
            current = change;
            staged.push({ change, temporary: stage(change, change.after) });
        }
        // Staging took its time; an editor may have saved in between.
        const changed = firstProblem(group);
        if (changed) return changed;
        for (const { change, temporary } of staged) {
            current = change;
            renameSync(temporary, change.absolutePath);
            renamed.push(change);
        }
        return undefined;
    } catch (error) {
        const left = renamed.filter(change => !undo(change)).map(({ path }) => path);
        const also = left.length > 0 ? `; ${left.join(', ')} could not be put back, take it from version control` : '';
        return current && { change: current, reason: `could not be written: ${reasonOf(error)}${also}` };
    } finally {
        for (const { temporary } of staged) rmSync(temporary, { force: true });
    }
}

function firstProblem(group: readonly FileChange[]): Failure | undefined {
    for (const change of group) {
        const reason = problemWith(change);
        if (reason !== undefined) return { change, reason };
    }
    return undefined;
}

/** A file beside the target, complete and on disk; on the same file system, so that the rename is one step. */
function stage({ absolutePath, before }: FileChange, text: string): string {
    const temporary = join(
        dirname(absolutePath),
        `.${basename(absolutePath)}.${randomBytes(6).toString('hex')}.mcp-mrtr`
    );
    const descriptor = openSync(temporary, 'wx', 0o666);
    try {
        writeFileSync(descriptor, text);
        if (before !== undefined) copyOwner(descriptor, absolutePath);
        fsyncSync(descriptor);
    } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
    } finally {
        closeSync(descriptor);
    }
    return temporary;
}

function copyOwner(descriptor: number, from: string): void {
    const { mode, uid, gid } = statSync(from);
    // As root, a user's file would otherwise become root's; everybody else can only write files of their own.
    if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid);
    fchmodSync(descriptor, mode & 0o7777);
}

/** Whether the file has its old text again. */
function undo(change: FileChange): boolean {
    try {
        if (change.before === undefined) rmSync(change.absolutePath);
        else renameSync(stage(change, change.before), change.absolutePath);
        return true;
    } catch {
        return false;
    }
}
