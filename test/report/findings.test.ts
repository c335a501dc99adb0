import { describe, expect, it } from 'vitest';
import { formatAnnotations } from '../../src/github/actions.ts';
import { findingCounts, problemsToReview } from '../../src/report/finding-text.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { planDocument } from '../../src/report/plan-document.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planDiagnostics } from '../../src/report/plan-notes.ts';
import { planReport } from '../../src/report/plan-text.ts';
import { sarif } from '../../src/report/sarif.ts';
import { stackCountsText } from '../../src/report/stacks/stack-report.ts';
import { planLines } from '../../src/report/terraform/plan-lines.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { at, change, plainStyle, planOf } from './builders.ts';
import { finding, withFindings } from './with-findings.ts';

const story = oneStoryIn(3);

const report = (plan = withFindings, more = {}) => {
  const texts = planReport(plan, { style: plainStyle, requests: false, ...more });
  return [texts.warnings, texts.plan, texts.errors].join('\n----\n');
};

describe('findings of a plan', () => {
  it('stand below the changes in its text', async () => {
    await expect(report()).toMatchFileSnapshot('golden/findings.txt');
  });
  it('are all listed in its verbose text', async () => {
    await expect(report(withFindings, { verbose: true })).toMatchFileSnapshot('golden/findings-verbose.txt');
  });
  it('stand in the comment on a pull request', async () => {
    await expect(planMarkdown(withFindings)).toMatchFileSnapshot('golden/findings.md');
  });

  it('have their states in the document', () => {
    const document = planDocument.parse(JSON.parse(JSON.stringify(planJson(withFindings))));
    const states = document.diagnostics.map((diagnostic) => diagnostic.finding?.state ?? 'none');
    expect(states.sort().join(' ')).toBe(
      `new new new new new new new new new none unchanged unchanged unchanged`,
    );
    expect(document.fixedFindings!.map((diagnostic) => diagnostic.finding)).toEqual([
      { state: 'fixed', causes: ['domains/acme.com/records/spf'] },
      { state: 'fixed', causes: [] },
    ]);
    expect(document.suppressedFindings!.map(({ code }) => code).sort()).toEqual([
      'dns/spf-lookups',
      'dns/spf-lookups',
      'firewall/duplicate',
    ]);
  });

  it('are results of SARIF unless they are fixed, with the level note for notes', () => {
    const about = {
      version: '1',
      homepage: '',
      file: 'trueup.yaml',
      locate: String,
      explain: () => undefined,
    };
    const { results: all, tool } = JSON.parse(sarif(planDiagnostics(withFindings), about)).runs[0];
    const results = all.filter((result: { suppressions?: object[] }) => result.suppressions === undefined);
    const titles = tool.driver.rules.map(
      (rule: { shortDescription: { text: string } }) => rule.shortDescription.text,
    );
    expect(titles).toContain('DNS: SPF many.');
    const has = (state: string, level: string) =>
      results.filter(
        (result: { level: string; properties?: { finding: string } }) =>
          result.level === level && result.properties?.finding === state,
      ).length;
    expect([has('new', 'error'), has('new', 'warning'), has('new', 'note')]).toEqual([1, 3, 5]);
    expect([has('unchanged', 'warning'), has('unchanged', 'note'), results.length]).toEqual([2, 1, 13]);
    // Those that the configuration turns off are marked.
    expect(all.length - results.length).toBe(withFindings.suppressedFindings!.length);
  });

  it('are annotations of a CI system if they are new, with notices for notes', () => {
    const lines = formatAnnotations(problemsToReview(withFindings), String);
    const commands = lines.map((line) => line.slice(0, line.indexOf(' ')));
    expect(commands).toEqual(['::error', ...Array(4).fill('::warning'), ...Array(2).fill('::notice')]);
    const secret = {
      ...finding('new', 'secret/missing', 'a', { severity: 'note' }),
      secret: { name: 'TOKEN' },
    };
    expect(formatAnnotations([secret], String)).toEqual([]);
  });

  it('are warnings where Terraform has no notes', () => {
    const lines = JSON.parse(JSON.stringify(planLines(withFindings))) as {
      diagnostic?: { severity: string };
    }[];
    const severities = lines.flatMap(({ diagnostic }) => diagnostic?.severity ?? []);
    expect([...new Set(severities)].sort()).toEqual(['error', 'warning']);
    expect(JSON.stringify(lines)).toContain('does not change: 3 (dns/spf-many 2, token/no-expiry 1)');
  });

  story('stand in the rows of the page, and lead there from its problems', () => {
    const page = planHtml(withFindings);
    const row = page.slice(page.indexOf('id="change-1"'), page.indexOf('id="change-2"'));
    expect(row).toMatch(/<strong class="label-warning">warning<\/strong> the rule .* is never reached/);
    expect(page).toContain(
      'Caused by the change of <a href="#change-1">projects/web/firewall/rules/allow-office</a>',
    );
    expect(page).toMatch(/<h2 id="fixed">Also fixed by this plan .*1<\/span>/);
    expect(page).toContain('Findings that this plan does not change: 3 (dns/spf-many 2, token/no-expiry 1).');
    expect(page).toContain('Suppressed findings: 3 (');
  });

  it('are counted over several stacks', () => {
    const stack = (id: string) => ({ id, path: id, needs: [], plan: withFindings });
    expect(findingCounts([withFindings, withFindings])[0]).toBe('6 new warnings');
    expect(stackCountsText([stack('a'), stack('b')])).toBe(
      '2 stacks: 2 failed, 6 new warnings, 10 new notes, 4 fixed findings',
    );
  });
});

describe('the place of a finding', () => {
  const project = 'projects/web';
  const textWith = (state: 'new' | 'fixed', changes: ReturnType<typeof change>[], causes: string[]) => {
    const found = finding(state, 'a/b', causes[0] ?? 'x', { causes, message: 'it harms' });
    return report(planOf({ changes, [state === 'new' ? 'diagnostics' : 'fixedFindings']: [found] }));
  };

  it.each([
    [
      'an object inside a deleted one',
      'fixed',
      [change('delete', project)],
      [`${project}/env/A`],
      '# fixes: it harms [a/b]',
    ],
    [
      'an object of which only the ledger changes',
      'new',
      [change('adopt', project, { changesLedgerOnly: true })],
      [project],
      'Warning: it harms [a/b]',
    ],
    [
      'an adoption that would only be counted',
      'new',
      ['a', 'b', 'c'].map((name) => change('adopt', name)),
      ['b'],
      '# warning: it harms [a/b]',
    ],
    ['nothing that changes', 'fixed', [], [], '  fixes: it harms [a/b]'],
  ] as const)('%s', (_, state, changes, causes, line) => {
    const text = textWith(state, [...changes], [...causes]);
    expect(text.split('\n').filter((shown) => shown.includes('it harms'))).toEqual([
      expect.stringContaining(line),
    ]);
  });

  it('is the first cause only, and never two entries for one variable', () => {
    const targets = ['production', 'preview'].map((target) => `${project}/env/A@${target}`);
    const changes = targets.map((address) => change('create', address, { at: at(5) }));
    const diagnostics = targets.map((address) =>
      finding('new', 'env/public', address, { message: `${address} is public` }),
    );
    const text = report(planOf({ changes, diagnostics }));
    expect(text.match(/is public/g)).toHaveLength(1);
    expect(text).toContain('# warning: projects/web/env/A [preview, production] is public [env/public]');
  });

  it('is one entry for notes that differ in details, and not for warnings', () => {
    const addresses = ['a', 'b', 'c'].map((site) => `projects/${site}/env/LEVEL`);
    const changes = addresses.map((address) => change('update', address, { parent: address.slice(0, 10) }));
    const text = (severity: 'note' | 'warning') =>
      report(
        planOf({
          changes,
          diagnostics: addresses.map((address, index) =>
            finding('new', 'deployment/needed', address, { severity, message: `deployment ${index} is old` }),
          ),
        }),
      );
    expect(text('note')).toContain('# note: deployment 0 is old (3 times; --verbose shows each)');
    expect(text('warning').match(/# warning: deployment \d is old/g)).toHaveLength(3);
  });

  it('counts what has no room below a change', () => {
    const diagnostics = Array.from({ length: 14 }, (_, index) =>
      finding('new', `a/${index}`, project, { message: `harm ${index}` }),
    );
    const plan = planOf({ changes: [change('update', project)], diagnostics });
    expect(report(plan)).toContain('# ... and 4 more findings');
    expect(report(plan, { verbose: true })).not.toContain('more findings');
    expect(planMarkdown(plan)).toContain('# ... and 4 more findings');
  });
});

describe('hostile and many findings', () => {
  const message =
    'a </details> ```\n::error::x @team <script>alert(1)</script> \u202e[x](http://evil) \u001b[31m';
  const hostile = planOf({
    changes: [change('create', 'a')],
    diagnostics: [
      finding('new', 'a/b', 'a', { message, hint: message }),
      finding('new', 'a/c', 'b', { message, severity: 'note', causes: [] }),
      finding('unchanged', '</summary>`c`', 'c', { message }),
    ],
    fixedFindings: [finding('fixed', 'a/d', 'd', { message, causes: [] })],
  });

  it('cannot leave the place where they stand', () => {
    expect(planHtml(hostile)).not.toContain('<script>alert');
    for (const text of [report(hostile), report(hostile, { verbose: true }), planMarkdown(hostile)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
      expect(text).not.toMatch(/[\u001b\u202e]|^\s*::/m);
    }
    const outsideOfCode = planMarkdown(hostile)
      .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
      .replace(/(`+)[^`][\s\S]*?\1/g, '');
    expect(outsideOfCode).not.toMatch(/<script|@team|http:/);
  });

  story('keep the limit of a comment, with a count of what is left out', () => {
    const addresses = Array.from({ length: 600 }, (_, index) => `projects/p${index}`);
    const diagnostics = addresses.flatMap((address, index) => [
      finding('new', 'a/b', address, { message: `harm ${index % 2} of ${'long '.repeat(40)}${index}` }),
      finding('new', 'a/n', address, { severity: 'note', message: `note ${index}`, causes: [] }),
      finding('unchanged', 'a/u', address),
    ]);
    const plan = planOf({ changes: addresses.map((address) => change('create', address)), diagnostics });
    const text = planMarkdown(plan, undefined, 20_000);
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(20_000);
    expect(text).toContain('Findings that this plan does not change: 600 (`a/u` 600)');
    expect(text).toContain('#### New warnings (600)');
    expect(text).toContain('- and 580 more new warnings: `trueup plan` shows all');
    const [, absent, short] = /Truncated: (\d+) changes, .*details of (\d+) changes/.exec(text)!;
    expect(Number(absent) + Number(short)).toBe(600);
  });
});
