import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { facts } from '../../providers/hosting/facts.ts';
import { hosting } from '../../providers/hosting/index.ts';
import { openRuleBook } from '../../src/calibration/rule-book.ts';
import { commands } from '../../src/cli/commands.ts';
import { groupOptions } from '../../src/cli/help-groups.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { actionList, lookupList } from '../../src/manual/day-two.ts';
import { kindList } from '../../src/manual/kind-list.ts';
import { kindManual } from '../../src/manual/kind-manual.ts';
import { exampleAddresses } from '../../src/manual/kind-reference.ts';
import type { CommandRun } from '../../src/terminal/command-run.ts';
import { Shell } from '../support/cli.ts';
import { commandIndex, commandPage } from './command-page.ts';
import { dayTwoIndex, dayTwoPage } from './day-two-page.ts';
import { firstPage } from './first-page.ts';
import { kindIndex, kindPage } from './kind-page.ts';
import { limitsTable, tableOnPage } from './limits-table.ts';
import { type KindReport, type Status, statusList, statusPage } from './status-page.ts';

/*
 * The pages of docs/kinds, docs/commands, docs/actions and docs/lookups are what the code says, docs/index.md is what README.md says, and docs/status.md follows
 * from the facts about the platform and from reports of real accounts. After a change of a kind or of an option `npm run docs` (which is
 * this test with TRUEUP_DOCS=write) writes them anew.
 */

const folders = ['kinds', 'commands', 'actions', 'lookups'];

const isWriting = process.env.TRUEUP_DOCS === 'write';

/** By path in docs. */
const pages = new Map<string, string>();

/** The reports of `trueup doctor` about real accounts. There is none yet. */
const reportFolder = 'test/facts/real-accounts';
const reports = existsSync(reportFolder)
  ? readdirSync(reportFolder).map(
      (name) => JSON.parse(readFileSync(join(reportFolder, name), 'utf8')) as KindReport,
    )
  : [];

/** The list in the section "Status" of README.md. */
const listInReadme = /(?<=<!-- status -->\n\n)[\s\S]*?(?=\n\n<!-- end of status -->)/;
let status: Status;

beforeAll(async () => {
  const kinds = kindsOf(hosting.kinds);
  const ruleBook = await openRuleBook(hosting);
  for (const kind of kinds.values())
    pages.set(
      `kinds/${kind.name}.md`,
      kindPage(
        kindManual(kinds, kind, {
          exampleAddresses: await exampleAddresses(kinds, kind),
          extraOperations: await hosting.extraOperations(),
          rules: ruleBook.rulesOf(kind.name),
        }),
      ),
    );
  pages.set('kinds/index.md', kindIndex(kindList(kinds)));
  status = {
    kinds: [...kinds.values()],
    facts,
    reports,
    basisOf: (kind) => ruleBook.rulesOf(kind.name).basis,
  };
  pages.set('status.md', statusPage(status));
  if (isWriting) {
    const readme = readFileSync('README.md', 'utf8');
    writeFileSync('README.md', readme.replace(listInReadme, statusList(status)));
  }
  const { actions, lookups } = await hosting.actionsAndLookups();
  for (const one of actionList(actions)) pages.set(`actions/${one.name}.md`, dayTwoPage(one));
  for (const one of lookupList(lookups)) pages.set(`lookups/${one.name}.md`, dayTwoPage(one));
  pages.set('actions/index.md', dayTwoIndex('Actions', actionList(actions)));
  pages.set('lookups/index.md', dayTwoIndex('Lookups', lookupList(lookups)));
  const shown: Command[] = [];
  for (const [name, { does, hidden, load }] of Object.entries(commands)) {
    if (hidden) continue;
    const command = new Command(name).description(does);
    (await load())(command, hosting, {} as CommandRun, {
      createProgram: async () => command,
      runCommandLine: async () => 0,
    });
    groupOptions(command, true);
    shown.push(command);
  }
  for (const command of shown) pages.set(`commands/${command.name()}.md`, commandPage(command));
  pages.set('commands/index.md', commandIndex(shown));
  pages.set('index.md', firstPage(readFileSync('README.md', 'utf8')));
  if (!isWriting) return;
  const costs = readFileSync('docs/costs-and-limits.md', 'utf8');
  writeFileSync('docs/costs-and-limits.md', costs.replace(tableOnPage, limitsTable));
  for (const folder of folders) {
    rmSync(`docs/${folder}`, { recursive: true, force: true });
    mkdirSync(`docs/${folder}`, { recursive: true });
  }
  for (const [path, text] of pages) writeFileSync(`docs/${path}`, text);
});

test('the pages of kinds, commands, actions and lookups are what the code says', () => {
  const there = folders.flatMap((folder) => readdirSync(`docs/${folder}`).map((name) => `${folder}/${name}`));
  there.push('index.md', 'status.md');
  expect(there.sort(), 'run `npm run docs`').toEqual([...pages.keys()].sort());
  const stale = [...pages]
    .filter(([path, text]) => readFileSync(`docs/${path}`, 'utf8') !== text)
    .map(([path]) => path);
  expect(stale, 'run `npm run docs`').toEqual([]);
});

test('README.md says how the kinds are known, as facts and reports have it', () => {
  const [list] = listInReadme.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(list, 'run `npm run docs`').toBe(statusList(status));
  const fits = [
    {
      kinds: [
        { kind: 'project', result: 'fits' },
        { kind: 'webhook', result: 'differs' },
      ],
    },
  ];
  expect(statusList({ ...status, reports: fits })).toMatch(/^- \*\*1 kinds\*\*: confirmed/);
});

test('the table of rate limits is what the code says', () => {
  const [onPage] = tableOnPage.exec(readFileSync('docs/costs-and-limits.md', 'utf8')) ?? [];
  expect(onPage, 'run `npm run docs`').toBe(limitsTable());
});

test('each page of a kind or command has a title, and links to pages that are there', () => {
  expect(pages.size).toBeGreaterThan(80);
  let links = 0;
  for (const [path, text] of pages) {
    expect(text, path).toMatch(/^---\ntitle: ".+"\ndescription: ".+"\n---\n/);
    for (const [, target] of text.matchAll(/(?<!\\)\[[^\]]+\]\(([^)#]+\.md)\)/g)) {
      links++;
      expect([path, target, existsSync(join('docs', dirname(path), target!))]).toEqual([path, target, true]);
    }
  }
  expect(links).toBeGreaterThan(250);
});

test('a page has what the terminal shows: each field, each key with $, each option', async () => {
  const shell = new Shell();
  const { stdout } = await shell.run(['kinds', 'projectDomain', '--json']);
  const manual = JSON.parse(stdout) as { fields: { name: string }[]; metaKeys: { key: string }[] };
  const page = pages.get('kinds/projectDomain.md')!;
  for (const { name } of manual.fields) expect(page).toContain(`| \`${name}\` |`);
  for (const { key } of manual.metaKeys) expect(page).toContain(`\`${key}: `);
  const help = (await shell.run(['plan', '--help', '--all'])).stdout;
  const options = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== '--help');
  expect(options.length).toBeGreaterThan(20);
  for (const name of options) expect(pages.get('commands/plan.md')).toContain(name);
});
