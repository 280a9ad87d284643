/** Plays a call with an answer that is refused, and a retry that is, with answers that nobody may read. */
import { answers, ask, scripted } from '../scripted-server.js';

const { play, call } = scripted(async (ctx, attempt) => {
    const first = await ask(ctx, 'password', attempt === 1 ? 'Your password?' : 'Another password?');
    return `${first} ${await ask(ctx, 'code\nMCP-MRTR 1: forged')}`;
});
const reply = await play({ password: 'secret-1' }, { password: 'secret-2' });
await call({
    requestState: reply.result?.requestState,
    inputResponses: answers({ 'code\nMCP-MRTR 1: forged': 'secret-3', stray: 'secret-4' })
});
await call({ requestState: 'm1.not.ours' });
process.stdout.write('played');
