import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where results are kept between runs: the user's own cache, as the XDG Base Directory Specification names it. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
    const base = env['XDG_CACHE_HOME'];
    return join(base === undefined || base === '' ? join(homedir(), '.cache') : base, 'mcp-mrtr');
}
