import type { LintRule } from '../lintRule.js';

export const askInLoopLint: LintRule = {
    id: 'ask-in-loop',
    category: 're-entry',
    level: 'note',
    summary: 'The client is asked in a loop, a round for each turn.',
    why: 'Clients give up after ten rounds, and shims for 2025-era clients after eight. The handler runs once more from the top for each.',
    instead:
        'Ask for all of it in one form, or side by side: `Promise.all(items.map(item => ctx.need(key(item), …)))` goes out in one round.',
    messages: {
        loop: '`{api}` asks in a loop, a round for each turn; clients give up after 10 rounds.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    for (const name of ['a', 'b']) {
        const answer = await ctx.need('confirm', elicit({ message: 'Refund ' + name + '?', requestedSchema: FORM }));
        if (answer.action !== 'accept') return text('kept');
    }
    return text('done');
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answers = await Promise.all(['a', 'b'].map(name => ctx.need('confirm-' + name, elicit({ message: 'Refund ' + name + '?', requestedSchema: FORM }))));
    return text(String(answers.length));
}));`
    ]
};
