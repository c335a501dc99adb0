import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { keyText } from '../support/keys.ts';
import { all, isTried } from '../support/sweep.ts';
import { companyFiles } from './files.ts';
import { openOffice, type Person } from './office.ts';
import { expectStatus, reportLines, Transcript } from './transcript.ts';

/*
 * A year of a company, on the twin, with a git repository, the workflows that `trueup init --ci` wrote, and two people. Each test is a chapter that
 * goes on where the one before it ended, and checks what the account has afterwards. year.txt is what Ada and Ben read during the year.
 */

/** The company has 30 sites in each team. They are validated in January; the suite plays the year with fewer, because each costs time in every run. */
const sitesOfTeam = all ? 30 : 6;

let office: Awaited<ReturnType<typeof openOffice>>;
let ada: Person;
let ben: Person;
const story = new Transcript();

beforeAll(async () => {
  if (!isPlayed) return;
  office = await openOffice();
  ada = office.hire('Ada');
  ben = office.hire('Ben');
});

/** The year takes half a minute, and tests of its commands and workflows are in each part: one part in three plays it. */
const isPlayed = isTried(1, 3);

/** Begins a chapter of the story. */
const chapter = (title: string, tell: () => Promise<void>): void =>
  test.runIf(isPlayed)(title, async () => {
    story.begin(title);
    await tell();
  });

/** Somebody runs `trueup ...words`. Fails unless it succeeds. */
async function runs(person: Person, words: string, isShown?: (line: string) => boolean, answer?: string) {
  const ran = expectStatus(await person.trueup(words, answer));
  story.add(`${person.name.toLowerCase()}: trueup ${words}`, ran.all, isShown);
  return ran;
}

/** Opens a pull request of somebody's branch, with the jobs that have to succeed, and shows the comment of CI. */
async function proposes(person: Person) {
  const { jobs, comment } = await office.propose(person);
  for (const [name, { ok, log }] of Object.entries(jobs)) expect(ok, `${name}: ${log}`).toBe(true);
  story.add('comment on the pull request', reportLines(comment));
  return comment;
}

/** True for the lines of a log that say what was done, without the plan and the progress. */
const isOutcome = (line: string): boolean =>
  /(^|: )((created|updated|deleted|released|adopted|noted|moved|failed|skipped) \(|Applied|Verified| *Error: )|are taken over|up to date|git revert/.test(
    line,
  );

/** Returns the project of a site in the account. */
const projectOf = (name: string) => office.twin.account.projects.find((project) => project.name === name);
/** Returns the value of a variable of a project in the account. */
const variableOf = (project: string, key: string) =>
  projectOf(project)?.env.find((variable) => variable.key === key)?.value;

chapter('January: a company in 120 lines, and CI', async () => {
  const write = (sites: number) => {
    const files = Object.entries(companyFiles(sites));
    for (const [file, text] of files) ada.edit(file, () => text);
    return files.map(([, text]) => text).join('');
  };
  // All lines of YAML and data count, also the rows of the sites.
  expect(write(30).split('\n').length - 1).toBeLessThanOrEqual(120);
  ada.edit('package-lock.json', () => '{}');
  ada.commit('Describe the company');
  await runs(ada, 'validate --all');
  write(sitesOfTeam);
  await runs(ada, 'init --ci github', (line) => /Wrote|\.github/.test(line));
  ada.commit('Let CI plan and apply');
  const secrets = {
    TRUEUP_TOKEN: 'the-token-that-writes',
    TRUEUP_LEDGER_KEY: keyText(),
    TRUEUP_SECRET_SESSION: 'the-first-session-secret',
  };
  // Operators have the same at their desks.
  for (const { shell } of [ada, ben])
    Object.assign(shell.env, {
      TRUEUP_LEDGER_KEY: secrets.TRUEUP_LEDGER_KEY,
      TRUEUP_SECRET_session: secrets.TRUEUP_SECRET_SESSION,
    });
  Object.assign(office.environments, {
    plan: { TRUEUP_TOKEN: 'the-token-that-reads' },
    'plan-main': secrets,
    production: secrets,
  });
  office.merge(ada);
  const { plan, apply } = await office.deploy();
  expect(plan, plan!.log).toMatchObject({ ok: true });
  expect(apply, apply!.log).toMatchObject({ ok: true });
  story.add('CI plans the first merge, and applies it', reportLines(plan!.summary));
  expect(office.twin.account.projects).toHaveLength(2 * sitesOfTeam + 2);
  expect(office.twin.account.domains).toHaveLength(6);
  // Nothing is installed here, so the lockfile lacks the tool.
  const checked = expectStatus(await ada.trueup('init --ci github --check'), 1);
  story.add('ada: trueup init --ci github --check', checked.all);
});

chapter('February: Ben opens a site; the platform refuses a part, and the next run repairs it', async () => {
  ben.branch('paris');
  ben.edit('europe/sites.csv', (text) => `${text}paris,acme.fr,info\n`);
  ben.commit('Open Paris');
  await proposes(ben);
  office.merge(ben);
  const refusal = { at: { operation: 'createProjectEnv' }, do: { type: 'status', status: 403 } } as const;
  office.twin.setFaults({ faults: [refusal] });
  const failed = await office.deploy();
  expect(failed.apply!.ok).toBe(false);
  story.add('CI applies the merge, and fails', failed.apply!.log, isOutcome);
  expect(projectOf('site-paris')!.env).toEqual([]);
  office.twin.setFaults({ faults: [] });
  ada.branch('repair');
  await runs(ada, 'apply -f europe/trueup.yaml --auto-approve', isOutcome);
  expect(variableOf('site-paris', 'LEVEL')).toBe('info');
});

chapter('March: Ada renames it', async () => {
  const { id } = projectOf('site-paris')!;
  ada.branch('rename');
  ada.edit('europe/sites.csv', (text) => text.replace('paris,', 'lyon,'));
  ada.edit(
    'europe/trueup.yaml',
    (text) => `${text}patches: [{ $at: projects/site-lyon, $was: site-paris }]\n`,
  );
  ada.commit('Rename Paris to Lyon');
  office.merge(ada);
  await runs(ada, 'apply -f europe/trueup.yaml --auto-approve', isOutcome);
  expect(projectOf('site-lyon')).toMatchObject({ id });
  expect(projectOf('site-paris')).toBeUndefined();
});

chapter('April: Ben moves it to the stack of the other team', async () => {
  const { id } = projectOf('site-lyon')!;
  ben.branch('move');
  ben.edit('europe/sites.csv', (text) => text.replace(/lyon.*\n/, ''));
  ben.edit('europe/trueup.yaml', (text) => text.replace(/patches:.*\n/, ''));
  ben.edit('america/sites.csv', (text) => `${text}lyon,acme.fr,info\n`);
  ben.edit('america/trueup.yaml', (text) => `${text}patches: [{ $at: projects/site-lyon, $from: europe }]\n`);
  ben.commit('Give Lyon to the team of America');
  office.merge(ben);
  const before = office.writes();
  await runs(ben, 'apply --all --changed-since HEAD~1 --auto-approve', isOutcome);
  expect(office.writes()).toBe(before);
  expect(projectOf('site-lyon')).toMatchObject({ id });
});

chapter('May: Ada splits two stacks: the sites of a zone get a stack of their own', async () => {
  ada.branch('asia');
  const moved: string[] = [];
  for (const team of ['europe', 'america'])
    ada.edit(`${team}/sites.csv`, (text) => {
      const rows = text.split('\n');
      const isMoved = (row: string) => row.includes(',acme.jp,');
      moved.push(...rows.filter(isMoved).map((row) => `${row},${team}\n`));
      return rows.filter((row) => !isMoved(row)).join('\n');
    });
  ada.edit('asia/sites.csv', () => `code,zone,level,from\n${moved.join('')}`);
  ada.edit('asia/trueup.yaml', () =>
    ada
      .read('europe/trueup.yaml')
      .replace('stack: europe', 'stack: asia')
      .replace('    $use:', '    $from: "${each.value.from}"\n    $use:'),
  );
  ada.edit('trueup.workspace.yaml', (text) => `${text}  - { path: asia, needs: [dns] }\n`);
  ada.commit('Split off Asia');
  office.merge(ada);
  const before = office.writes();
  await runs(ada, 'apply --all --changed-since HEAD~1 --auto-approve', isOutcome);
  expect(office.writes()).toBe(before);
  expect(office.twin.account.projects).toHaveLength(2 * sitesOfTeam + 3);
});

chapter('June: an operator hands a site over in the ledgers', async () => {
  ada.branch('handover');
  await runs(ada, 'ledger move projects/site-eb{,/**} --to america -f europe/trueup.yaml');
  const [row] = ada.read('europe/sites.csv').match(/eb,.*\n/)!;
  ada.edit('europe/sites.csv', (text) => text.replace(row, ''));
  ada.edit('america/sites.csv', (text) => `${text}${row}`);
  ada.commit('Give eb to the team of America');
  office.merge(ada);
  await runs(ada, 'plan -f america/trueup.yaml --detailed-exitcode');
  await runs(ada, 'plan -f europe/trueup.yaml --detailed-exitcode');
});

chapter('July: somebody works in the dashboard; CI finds it, and Ben accepts a part of it', async () => {
  projectOf('site-ec')!.framework = 'astro';
  projectOf('site-ed')!.env.find(({ key }) => key === 'LEVEL')!.value = 'debug';
  const { drift } = await office.watch();
  expect(drift, drift!.log).toMatchObject({ ok: true });
  story.add('CI looks for drift', drift!.log);
  const proposed = (file: string) => ada.git('-C', office.bare, 'show', `trueup-drift:europe/${file}`);
  expect(proposed('sites.csv')).toContain('ed,acme.co,debug');
  expect(proposed('trueup.yaml')).toContain('framework: astro');
  ben.branch('accept');
  await runs(ben, 'accept projects/site-ed/env/LEVEL -f europe/trueup.yaml --auto-approve');
  expect(ben.read('europe/sites.csv')).toContain('ed,acme.co,debug\n');
  ben.commit('Accept the level of ed');
  office.merge(ben);
  await runs(ben, 'apply -f europe/trueup.yaml --auto-approve', isOutcome);
  expect(projectOf('site-ec')!.framework).toBe('nextjs');
  expect(variableOf('site-ed', 'LEVEL')).toBe('debug');
});

chapter('August: a bad commit is undone, first in the account and then in git', async () => {
  ben.branch('debug');
  ben.edit('america/sites.csv', (text) => text.replaceAll(',info\n', ',debug\n'));
  ben.commit('Debug America');
  office.merge(ben);
  await runs(ben, 'apply -f america/trueup.yaml --auto-approve', isOutcome);
  expect(variableOf('site-ad', 'LEVEL')).toBe('debug');
  ada.branch('undo');
  const bad = ada.git('rev-parse', 'HEAD');
  await runs(ada, `undo --commit ${bad} -f america/trueup.yaml --auto-approve`, isOutcome);
  expect(variableOf('site-ad', 'LEVEL')).toBe('info');
  ada.git('revert', '--no-edit', '-m', '1', bad);
  office.merge(ada);
  await runs(ada, 'plan -f america/trueup.yaml --detailed-exitcode');
});

chapter('September: a secret and the key of the ledgers are rotated', async () => {
  ada.branch('rotate');
  const next = keyText('next');
  Object.assign(ada.shell.env, {
    TRUEUP_SECRET_session: 'the-second-session-secret',
    TRUEUP_LEDGER_KEY_PREVIOUS: ada.shell.env.TRUEUP_LEDGER_KEY,
    TRUEUP_LEDGER_KEY: next,
  });
  const before = office.writes();
  await runs(ada, 'apply --all --auto-approve', isOutcome);
  expect(variableOf('site-ea', 'SESSION')).toBe('the-second-session-secret');
  // One write for each site with the secret. The key changes nothing in the account.
  expect(office.writes() - before).toBe(2 * sitesOfTeam + 1);
  delete ada.shell.env.TRUEUP_LEDGER_KEY_PREVIOUS;
  const renewed = { TRUEUP_LEDGER_KEY: next, TRUEUP_SECRET_SESSION: 'the-second-session-secret' };
  for (const name of ['plan-main', 'production']) Object.assign(office.environments[name]!, renewed);
  Object.assign(ben.shell.env, ada.shell.env);
  // The ledger of a stack without changes has the new key, too.
  await runs(ben, 'plan -f dns/trueup.yaml --detailed-exitcode');
});

chapter('October: two merges at once', async () => {
  ada.branch('rome');
  ada.edit('europe/sites.csv', (text) => `${text}rome,acme.com,info\n`);
  ada.commit('Open Rome');
  ben.branch('oslo');
  ben.edit('america/sites.csv', (text) => `${text}oslo,acme.us,info\n`);
  ben.commit('Open Oslo');
  office.merge(ada);
  ada.branch('first');
  await runs(ada, 'plan --all --changed-since HEAD~1 --out .trueup/first.json', isOutcome);
  office.merge(ben);
  ben.branch('both');
  await runs(ben, 'apply --all --changed-since HEAD~2 --auto-approve', isOutcome);
  // Ada's plan was approved before Ben applied both merges.
  const before = office.writes();
  const late = expectStatus(await ada.trueup('apply .trueup/first.json'), 1);
  story.add('ada: trueup apply .trueup/first.json', late.stderr);
  expect(office.writes()).toBe(before);
  for (const site of ['site-rome', 'site-oslo'])
    expect(office.twin.account.projects.filter(({ name }) => name === site)).toHaveLength(1);
});

chapter('November: Cleo clones the repository', async () => {
  const cleo = office.hire('Cleo');
  await runs(cleo, 'stacks');
  const ran = await runs(cleo, 'plan -f europe/trueup.yaml --detailed-exitcode');
  expect(ran.stdout).toContain('No changes');
});

chapter('December: the shop is promoted, and a site closes through a pull request', async () => {
  ben.branch('close');
  ben.edit('shop/trueup.yaml', (text) =>
    text
      .replace(
        'stages: { staging: {}, production: {} }',
        'stages: { staging: { variables: { checkout: v2 } }, production: { variables: { checkout: v1 } } }\nvariables: { checkout: {} }',
      )
      .replace('value: v1,', 'value: "${var.checkout}",'),
  );
  ben.commit('Try the new checkout');
  office.merge(ben);
  await runs(ben, 'apply -f shop/trueup.yaml --stage staging --auto-approve', isOutcome);
  ben.branch('december');
  await runs(ben, 'diff staging production -f shop/trueup.yaml');
  await runs(
    ben,
    'diff staging production -f shop/trueup.yaml --promote projects/shop-staging/env/CHECKOUT --auto-approve',
  );
  const removed = await runs(ben, 'remove projects/site-rome -f europe/trueup.yaml --auto-approve');
  expect(removed.stderr).toContain('delete: true');
  ben.edit('europe/trueup.yaml', (text) => text.replace('delete: false', 'delete: true, objects: 4'));
  ben.commit('Close Rome, and promote the checkout');
  await proposes(ben);
  office.merge(ben);
  await runs(ben, 'apply --all --changed-since HEAD~1 --auto-approve', isOutcome);
  expect(projectOf('site-rome')).toBeUndefined();
  expect(variableOf('shop-production', 'CHECKOUT')).toBe('v2');
});

test('the transcript', async () => {
  // It has the numbers of the suite.
  if (all || !isPlayed) return;
  await expect(story.text()).toMatchFileSnapshot(join(import.meta.dirname, 'year.txt'));
});
