import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { program } from '../support/process.ts';

const yaml = 'stack: demo\nplatform: { team: acme }\nprojects: { web: { framework: nextjs } }\n';
const recorder = '/usr/bin/script';

/** `trueup apply` on a terminal of its own, made by script(1). */
function onTerminal(shell: Shell): {
  child: ChildProcessWithoutNullStreams;
  until(text: string): Promise<void>;
  ended: Promise<string>;
} {
  const { PATH, HOME } = process.env;
  const child = spawn(recorder, ['-qec', `${process.execPath} ${program} apply`, '/dev/null'], {
    cwd: shell.folder,
    env: { PATH, HOME, TERM: 'xterm', ...shell.env },
  });
  onTestFinished(() => void child.kill());
  let seen = '';
  const waiting: { text: string; done(): void }[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
    // The question breaks where the line ends.
    const line = seen.replaceAll(/\s+/g, ' ');
    for (const { text, done } of waiting) if (line.includes(text)) done();
  });
  const ended = new Promise<string>((done) => child.once('close', () => done(seen)));
  return {
    child,
    /** Rejects where it ends without that. */
    until: (text) =>
      Promise.race([
        new Promise<void>((done) => waiting.push({ text, done })),
        ended.then((all) => Promise.reject(new Error(`it did not say "${text}", but: ${all}`))),
      ]),
    ended,
  };
}

test.skipIf(!existsSync(recorder))(
  'apply asks on a terminal: no is no, yes is yes, and a changed account is not touched',
  async () => {
    const shell = await new Shell().write({ 'trueup.yaml': yaml });
    const twin = await shell.withTwin({ projects: [{ name: 'web', framework: 'vite' }] });
    const answer = async (text: string, before: () => void = () => {}) => {
      const run = onTerminal(shell);
      await run.until('Type `yes` to continue');
      before();
      run.child.stdin.write(`${text}\r`);
      return run.ended;
    };
    const [project] = twin.account.projects;
    expect(await answer('y')).toContain('Nothing was changed.');
    expect(await answer('yes', () => Object.assign(project!, { framework: 'astro' }))).toContain(
      'the account changed',
    );
    expect(project!.framework).toBe('astro');
    const applied = await answer('yes');
    expect(applied).toContain('Verified: the account matches');
    // The live view leaves what was above it alone.
    expect(applied).toContain('Plan: ');
    expect(project!.framework).toBe('nextjs');
  },
);
