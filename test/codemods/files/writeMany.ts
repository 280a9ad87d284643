// Child process of commitChanges.test.ts: replaces every file of a folder, each a group of its own, until it is killed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitChanges } from '../../../codemods/files/commitChanges.js';

const folder = process.argv[2] ?? '';
const changes = readdirSync(folder).map(path => {
    const before = readFileSync(join(folder, path), 'utf8');
    return { path, absolutePath: join(folder, path), before, after: 'n'.repeat(before.length), group: path };
});
commitChanges(changes);
