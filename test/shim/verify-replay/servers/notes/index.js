// A package that does something for a server, and looks at the clock for itself.
import { writeFile } from 'node:fs/promises';

export async function note(path) {
    await writeFile(path, String(Date.now()));
}
