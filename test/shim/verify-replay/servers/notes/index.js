// A package that does something for a server, and looks at the clock for itself.
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';

export async function note(path) {
    await writeFile(path, String(Date.now()));
}

let idle;

/** As clients of databases do it: a connection each time, and a timer that outlives the query. */
export async function query(port) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    await new Promise(resolve => socket.once('connect', resolve));
    socket.destroy();
    clearTimeout(idle);
    idle = setTimeout(() => undefined, 60_000).unref();
}
