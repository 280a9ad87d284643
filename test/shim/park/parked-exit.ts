/** Parks a call, prints that, and has nothing else to do. */
import { ask, scripted } from '../scripted-server.js';

const { call } = scripted(ctx => ask(ctx, 'a'), { mode: 'park' });
const { result } = await call();
process.stdout.write(String(result?.resultType));
