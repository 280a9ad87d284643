/** What became of the required scenarios. One that left no passed check is not ok: it has not been run. */
export function judge(required, checks) {
    const scenarios = required.map(name => judgeScenario(name, checks.get(name) ?? []));
    const total = status => scenarios.reduce((sum, scenario) => sum + scenario[status], 0);
    return {
        scenarios,
        ok: scenarios.filter(scenario => scenario.ok).length,
        passed: total('passed'),
        failed: total('failed'),
        warnings: total('warnings'),
        unscored: [...checks.keys()].filter(name => !required.includes(name)).length
    };
}

function judgeScenario(name, checks) {
    const count = status => checks.filter(check => check.status === status).length;
    const [passed, failed, warnings] = ['SUCCESS', 'FAILURE', 'WARNING'].map(count);
    const remarks = checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ status, id, errorMessage }) => `${status.toLowerCase()} ${id}: ${errorMessage}`);
    return { name, ok: passed > 0 && failed === 0, passed, failed, warnings, remarks };
}

/** The lines of the report: one for each scenario with what the suite says of it, then the totals. */
export function reportLines({ scenarios, ok, passed, failed, warnings, unscored }) {
    const width = Math.max(...scenarios.map(({ name }) => name.length));
    const rows = scenarios.flatMap(scenario => [
        `${scenario.ok ? '✓' : '✗'} ${scenario.name.padEnd(width)}  ${counts(scenario)}`,
        ...scenario.remarks.map(remark => `    ${remark}`)
    ]);
    return [
        ...rows,
        '',
        `${ok} of ${scenarios.length} required scenarios ok; scored checks: ${counts({ passed, failed, warnings })}`,
        `${unscored} more were run that the revision does not require (extensions, pending ones)`
    ];
}

function counts({ passed, failed, warnings }) {
    return `${passed} passed, ${failed} failed${warnings > 0 ? `, ${warnings} with a warning` : ''}`;
}
