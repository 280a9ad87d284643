// A published server in a temporary folder, with what its package.json names resolvable from there.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Copies `source` (an installed package); its `dist/` becomes `src/`, since build output is not what one migrates. */
export function makeWorkingCopy(source) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-mrtr-demo-')));
    cpSync(join(source, 'dist'), join(folder, 'src'), { recursive: true });
    cpSync(join(source, 'package.json'), join(folder, 'package.json'));
    return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Stands for `npm install` without a network: links what package.json names from where one of the `owners` has it
 * installed. What none has is left out; Node tells if the server needs it.
 */
export function linkDependencies(folder, owners, links) {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const modules = join(folder, 'node_modules');
    for (const [name, range] of Object.entries(dependencies)) {
        const target = links[name] ?? installed(name, range, owners);
        if (target === undefined || existsSync(join(modules, name))) continue;
        mkdirSync(dirname(join(modules, name)), { recursive: true });
        symlinkSync(target, join(modules, name), 'junction');
    }
}

/** The same package may be there in two majors (zod 3 of the old server, zod 4 of the new SDK). */
function installed(name, range, owners) {
    const candidates = owners.map(owner => join(owner, 'node_modules', name)).filter(existsSync);
    return candidates.find(candidate => majorOf(versionOf(candidate)) === majorOf(range));
}

function versionOf(folder) {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
}

function majorOf(version) {
    return /\d+/.exec(version)?.[0];
}
