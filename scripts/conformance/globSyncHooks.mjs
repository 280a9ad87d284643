// Module hooks that give the conformance suite a `fs` with the export `globSync`. All other modules get Node's own.
const SUITE = '/@modelcontextprotocol/conformance/';
const STAND_IN = 'mcp-mrtr:fs-with-globSync';

const source = `
export * from 'node:fs';
export { default } from 'node:fs';
export function globSync() {
    throw new Error('fs.globSync needs Node 22');
}`;

export function resolve(specifier, context, next) {
    if (specifier === 'fs' && context.parentURL?.includes(SUITE)) return { url: STAND_IN, shortCircuit: true };
    return next(specifier, context);
}

export function load(url, context, next) {
    return url === STAND_IN ? { format: 'module', source, shortCircuit: true } : next(url, context);
}
