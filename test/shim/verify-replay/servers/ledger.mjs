import { appendFile } from 'node:fs/promises';

export async function record(line) {
    await appendFile('ledger.txt', line);
}
