import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { Seed } from '../../providers/hosting/twin/index.ts';
import { commands } from '../../src/cli/commands.ts';
import type { CommandRun } from '../../src/terminal/command-run.ts';
import { gitIn } from '../accept/repository.ts';
import { type Ran, Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { repository } from '../support/ledger-places.ts';
import { sampled } from '../support/sweep.ts';
import { callsIn, type Step, stepsIn, wordsOf } from './steps.ts';

/*
 * Every command and every YAML of README.md and docs is run: a page is a story that begins with `<!-- start: ... -->`, in a folder of
 * its own. What needs more than that is marked `sh elsewhere`; of that, as of commands in the text, commands and options have to exist.
 */

const pages = [
  'README.md',
  ...['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(folder)
      // The first page has its commands from README.md.
      .filter((name) => name.endsWith('.md') && name !== 'index.md')
      .map((name) => `${folder}/${name}`),
  ),
];
const textOf = (page: string) => readFileSync(page, 'utf8');

class Reader {
  #shell = new Shell();

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case 'start':
        return await this.#start(step.with);
      case 'write':
        return await this.#write(step.file, step.text);
      case 'check':
        return await check(step.text);
      case 'run':
        return await this.#run(step.line, step.status);
    }
  }

  async #start(what: string): Promise<void> {
    this.#shell = new Shell();
    const { folder } = this.#shell;
    initRepository(folder);
    appendFileSync(path.join(folder, '.git/config'), '[user]\n\tname = a\n\temail = a@b.example\n');
    if (what === 'empty') return;
    if (what === 'company') return await this.#startCompany();
    expect(['account', 'shop']).toContain(what);
    await this.#shell.withTwin(JSON.parse(readFileSync('examples/shop.seed.json', 'utf8')) as Seed);
    this.#shell.env.TRUEUP_SECRET_database = 'postgres://not-shown-anywhere@db.example/shop';
    if (what === 'shop') cpSync('examples/shop', path.join(folder, 'trueup'), { recursive: true });
    if (what === 'shop') {
      gitIn(folder, 'add', '-A');
      gitIn(folder, 'commit', '-qm', 'The shop');
    }
  }

  /** A clone of an empty repository, with trueup in its lockfile, and an account like that of a company. */
  async #startCompany(): Promise<void> {
    const { folder } = this.#shell;
    // Twelve projects have each kind of object that 60 have.
    const seed = execFileSync(process.execPath, ['examples/large-account.mjs', '12'], { encoding: 'utf8' });
    await this.#shell.withTwin(JSON.parse(seed) as Seed);
    await this.#shell.write({ 'package-lock.json': '{"packages":{"node_modules/trueup":{}}}' });
    const { bare } = repository();
    gitIn(folder, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    gitIn(folder, 'remote', 'add', 'origin', bare);
    gitIn(bare, 'update-ref', '-d', 'refs/heads/main');
  }

  async #write(file: string, text: string): Promise<void> {
    await this.#shell.write({ [file]: text });
    // What is in the repository may be read without leave.
    gitIn(this.#shell.folder, 'add', file);
    if (!/^(stack|projects|domains):/m.test(text)) return;
    expectStatus(await this.#shell.run(['validate', '-f', file]), 0, file);
  }

  async #run(line: string, status: number): Promise<void> {
    const { words, to } = wordsOf(line);
    const [program, ...args] = words;
    const { folder, env } = this.#shell;
    // The token of the account is the one that the page began with.
    if (program === 'export') {
      const [name, value] = [args[0]!.split('=', 1)[0]!, args[0]!.slice(args[0]!.indexOf('=') + 1)];
      if (value !== '...') env[name] = value;
    } else if (program === 'mkdir') mkdirSync(path.join(folder, args.at(-1)!), { recursive: true });
    else if (program === 'git') execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
    else {
      expect(program, line).toBe('trueup');
      const ran = await this.#shell.run(args, { isTerminal: to === undefined, input: 'yes\n' });
      expectStatus(ran, status, line);
      expect(ran.all).not.toContain('not-shown-anywhere');
      if (to !== undefined) writeFileSync(path.join(folder, to), ran.stdout);
    }
  }
}

/** With all that was said, since that is what tells a page's author what is wrong. */
function expectStatus(ran: Ran, status: number, about: string): void {
  if (ran.status !== status) expect.fail(`${about}\nexited with ${ran.status}, not ${status}:\n${ran.all}`);
}

/** A part of a configuration is a whole one with a header in front of it. */
async function check(text: string): Promise<void> {
  const header = [
    ['stack', 'page'],
    ['platform', '{ team: acme }'],
  ].filter(([key]) => !new RegExp(`^${key}:`, 'm').test(text));
  const whole = `${header.map(([key, value]) => `${key}: ${value}\n`).join('')}${text}`;
  const shell = await new Shell().write({ 'trueup.yaml': whole });
  expectStatus(await shell.run(['validate']), 0, text);
}

describe('what a page has its reader do works', () => {
  // The first page is what everybody begins with, and the other one leads from an account to CI.
  const begun = [pages[0]!, 'docs/guides/existing-account.md'];
  const otherPages = pages.filter((page) => !begun.includes(page));
  for (const page of [...begun, ...sampled(otherPages, 2)]) {
    const steps = stepsIn(textOf(page)).filter((step) => step.do !== 'read');
    if (steps.length === 0) continue;
    it(page, async () => {
      const first = steps.find((step) => step.do === 'run' || step.do === 'start');
      if (first) expect(first.do, 'the page does not say where its commands begin').toBe('start');
      const reader = new Reader();
      for (const step of steps) await reader.take(step);
    });
  }
});

describe('of what is only read', () => {
  const known = new Map<string, Set<string>>();

  beforeAll(async () => {
    const add = (name: string, command: Command) => {
      known.set(
        name,
        new Set(
          command.options.flatMap(({ long, short }) => [long, short].filter((one) => one !== undefined)),
        ),
      );
      for (const inner of command.commands) add(`${name} ${inner.name()}`, inner);
    };
    for (const [name, { load }] of Object.entries(commands)) {
      const command = new Command(name);
      (await load())(command, hosting, {} as CommandRun, {
        createProgram: async () => command,
        runCommandLine: async () => 0,
      });
      add(name, command);
    }
  });

  /** What is wrong with a call: a command or an option that there is not. */
  function wrongIn([name = '', ...words]: string[]): string | undefined {
    if (/^(NAME|COMMAND|\.\.\.)$/.test(name) || name.startsWith('-')) return undefined;
    if (!known.has(name)) return `there is no command ${name}`;
    let inner = name;
    for (const word of words) if (known.has(`${inner} ${word}`)) inner += ` ${word}`;
    const options = known.get(inner)!;
    const strange = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=', 1)[0]!);
    const unknown = strange.filter((word) => !options.has(word) && word !== '--help');
    return unknown.length > 0 ? `${name} has no ${unknown.join(', ')}` : undefined;
  }

  test('each command and option exists', () => {
    let count = 0;
    const wrong = pages.flatMap((page) => {
      const text = textOf(page);
      const lines = stepsIn(text).flatMap((step) => (step.do === 'read' ? [step.line] : []));
      const inline = [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`(trueup [^`]+)`/g)].map(
        ([, call]) => call!,
      );
      return [...lines, ...inline].flatMap(callsIn).flatMap((call) => {
        count++;
        const said = wrongIn(call);
        return said === undefined ? [] : [`${page}: ${said}: ${call.join(' ')}`];
      });
    });
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  test('a command or option that there is not is noticed', () => {
    expect(callsIn('see `trueup plan --traget x` and trueup pan')).toHaveLength(2);
    expect(wrongIn(['plan', '--traget', 'x'])).toBe('plan has no --traget');
    expect(wrongIn(['pan'])).toBe('there is no command pan');
    expect(wrongIn(['ledger', 'sign', '--generation', '3'])).toBeUndefined();
  });
});

test('the way from an account to CI has at most twelve commands', () => {
  const [, section = ''] = textOf('docs/guides/existing-account.md').split('## To CI in twelve commands');
  const commands = stepsIn(section.split('\n## ')[0]!).filter(
    (step) => step.do === 'run' || step.do === 'read',
  );
  expect(commands.length).toBeLessThanOrEqual(12);
  expect(commands.length).toBeGreaterThan(8);
});
