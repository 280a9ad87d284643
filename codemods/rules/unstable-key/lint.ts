import type { LintRule } from '../lintRule.js';

export const unstableKeyLint: LintRule = {
    id: 'unstable-key',
    category: 're-entry',
    level: 'warning',
    summary: 'Questions that are asked side by side, after other awaits, share one key.',
    why: 'The runtime numbers them in the order in which they are asked, and that order depends on timing: the answer of one may come back as that of another. It notices, and asks again.',
    instead: `Put what the question is about into the key, \`\`ctx.need(\`confirm-\${item.id}\`, …)\`\`, or give \`resumable\` a \`settleMs\` and ask in a fixed order.`,
    messages: {
        parallel:
            'questions that start side by side at times of their own share the key `{key}`; put what each is about into it.'
    },
    incorrect: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answers = await Promise.all(['a', 'b'].map(async name => {
        const price = await lookUp(name);
        return ctx.need('confirm', elicit({ message: 'Refund ' + price + '?', requestedSchema: FORM }));
    }));
    return text(String(answers.length));
}));`
    ],
    correct: [
        `server.registerTool('refund', CONFIG, resumable(async (args, ctx) => {
    const answers = await Promise.all(['a', 'b'].map(async name => {
        const price = await lookUp(name);
        return ctx.need(\`confirm-\${name}\`, elicit({ message: 'Refund ' + price + '?', requestedSchema: FORM }));
    }));
    return text(String(answers.length));
}));`
    ]
};
