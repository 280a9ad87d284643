import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Puts the commit of a corpus entry into `copy`, a work tree of its own that borrows the objects of the clone. The clone
 * may be bare or have a work tree; an entry without a commit is a folder, which is copied.
 * @returns why it cannot be had
 */
export function checkOut({ repo, dir, commit }, clones, copy) {
    const names = [dir, repo.replace('/', '+'), repo.replace('/', '__'), repo.split('/').at(-1)];
    const clone = names.map(name => join(clones, name)).find(path => existsSync(path));
    if (clone === undefined) return `no clone (looked for ${names.join(', ')})`;
    rmSync(copy, { recursive: true, force: true });
    if (commit === null) {
        cpSync(clone, copy, { recursive: true });
        git(copy, 'init', '-q');
        git(copy, 'add', '-A');
        return undefined;
    }
    mkdirSync(copy, { recursive: true });
    git(copy, 'init', '-q');
    const objects = ['objects', '.git/objects', 'repo/objects'].map(path => join(clone, path)).find(existsSync);
    if (objects === undefined) return `${clone} is no git repository`;
    writeFileSync(join(copy, '.git/objects/info/alternates'), `${objects}\n`);
    if (git(copy, 'read-tree', commit) !== 0) return `${clone} does not have commit ${commit}`;
    // Large files may be absent from a clone. They are no sources.
    git(copy, 'checkout-index', '--all', '--quiet');
    return undefined;
}

function git(folder, ...args) {
    return spawnSync('git', ['-C', folder, ...args], { stdio: 'ignore' }).status;
}
