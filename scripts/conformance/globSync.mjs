// For `node --import`: the conformance suite imports `globSync` from fs, which Node has from version 22 on, and without
// it the suite does not even load on Node 20. Only its `tier-check` command calls the function.
import fs from 'node:fs';
import { register } from 'node:module';

if (!('globSync' in fs)) register('./globSyncHooks.mjs', import.meta.url);
