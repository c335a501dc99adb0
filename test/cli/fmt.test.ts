import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const header = 'stack: demo\nplatform: { team: acme }\n';
const untidy = 'stack:   demo\nplatform: {team: acme}\n';

const read = (shell: Shell, name: string) => readFileSync(join(shell.folder, name), 'utf8');

describe('fmt', () => {
  story('writes only what changes, lists it, and is then done', async () => {
    const shell = await new Shell().write({ 'trueup/a.yaml': untidy, 'trueup/sub/b.yml': 'projects: {}\n' });
    const tidy = join(shell.folder, 'trueup/sub/b.yml');
    const before = statSync(tidy);
    const ran = await shell.run(['fmt']);
    expect(ran).toMatchObject({ status: 0, stdout: 'trueup/a.yaml\n', stderr: '2 files: 1 formatted.\n' });
    expect(read(shell, 'trueup/a.yaml')).toBe(header);
    expect(statSync(tidy)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(await shell.run(['fmt'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '2 files: nothing to format.\n',
    });
  });

  story('names the entries of `removed` of which the ledger in the checkout has nothing', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': `${header}projects: { web: {}, old: {} }\n` });
    await shell.withTwin();
    const applied = await shell.run(['apply', '--auto-approve', '--settle', '0']);
    expect(applied.status, applied.all).toBe(0);
    const removed = 'removed: [{ at: projects/gone, delete: true }, { at: projects/old, delete: true }]\n';
    await shell.write({ 'trueup.yaml': `${header}${removed}projects: { web: {} }\n` });
    const { stderr } = await shell.run(['fmt']);
    expect(stderr).toMatch(
      /entries of `removed`, so they can be dropped: projects\/gone \(trueup.yaml:3\)\n$/,
    );
  });

  test('the files are those that are named, by argument or by -f', async () => {
    const shell = await new Shell().write({
      'a.yaml': untidy,
      'b.yaml': untidy,
      'c.yaml': untidy,
      'trueup.yaml': untidy,
    });
    expect((await shell.run(['fmt', 'a.yaml', '-f', 'b.yaml'])).stdout).toBe('a.yaml\nb.yaml\n');
    expect(read(shell, 'c.yaml')).toBe(untidy);
    expect((await shell.run(['fmt'])).stdout).toBe('trueup.yaml\n');
  });

  test('JSON stays JSON: only its errors are reported', async () => {
    const json = `{\n  "stack": "demo",\n  "x-long": { "a": "${'a'.repeat(60)}", "b": "${'b'.repeat(60)}" }\n}\n`;
    const shell = await new Shell().write({ 'trueup.json': json, 'wrong.json': '{ "stack": "demo", }}' });
    const ran = await shell.run(['fmt']);
    expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '1 file: nothing to format.\n' });
    expect(read(shell, 'trueup.json')).toBe(json);
    expect(await shell.run(['fmt', 'wrong.json'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('[yaml/syntax]'),
    });
  });

  test('the mode is kept, a link stays one, and a byte order mark goes', async () => {
    const shell = await new Shell().write({ 'real.yaml': `\ufeff${header}` });
    chmodSync(join(shell.folder, 'real.yaml'), 0o640);
    symlinkSync('real.yaml', join(shell.folder, 'link.yaml'));
    expect((await shell.run(['fmt', 'link.yaml'])).stdout).toBe('link.yaml\n');
    expect(read(shell, 'real.yaml')).toBe(header);
    expect(statSync(join(shell.folder, 'real.yaml')).mode & 0o777).toBe(0o640);
    writeFileSync(join(shell.folder, 'link.yaml'), untidy);
    expect(read(shell, 'real.yaml')).toBe(untidy);
  });

  test('--check writes nothing, shows the shape of the first difference and no value, and exits with 1', async () => {
    const secret = `${header}secrets_of_mine:   'canary-1'   # canary-2\n`;
    const shell = await new Shell().write({
      'a.yaml': secret,
      'b.yaml': header,
      'c.yaml': `${header}a: 1\t`,
      'd.yaml': header.replaceAll('\n', '\r\n').replace('stack: ', 'stack:  '),
    });
    const ran = await shell.run(['fmt', '--check', '.']);
    expect(ran.status).toBe(1);
    expect(ran.stdout).toMatchInlineSnapshot(`
      "a.yaml
        @@ line 3 @@
          platform: { team: … }
        - secrets_of_mine:   '…-…'   … …-…
        + secrets_of_mine: "…-…" … …-…
      c.yaml
        @@ line 3 @@
          platform: { team: … }
        - a: …→ (no newline at end of file)
        + a: …
      d.yaml
        @@ line 1 @@
        - stack:  …␍
        + stack: …␍
      "
    `);
    expect(ran.stderr).toBe('4 files: 3 would be reformatted; run `trueup fmt`.\n');
    expect(ran.all).not.toContain('canary');
    expect(read(shell, 'a.yaml')).toBe(secret);
    await shell.run(['fmt', '.']);
    expect(await shell.run(['fmt', '--check', '.'])).toMatchObject({ status: 0, stdout: '' });
    expect(read(shell, 'd.yaml')).toBe(header.replaceAll('\n', '\r\n'));
  });

  test('a file with errors is told as validate tells it, left alone, and does not keep others from being formatted', async () => {
    const broken = `${untidy}projects: { web: canary [\n`;
    const shell = await new Shell().write({
      'a.yaml': broken,
      'b.yaml': untidy,
      'c.yaml': Buffer.from([0xff, 0xfe]),
      'd.yaml': 'a: 1\nb: 2\na: 3\n',
    });
    const ran = await shell.run(['fmt', '.']);
    expect(ran).toMatchObject({ status: 1, stdout: 'b.yaml\n' });
    expect(ran.stderr).toMatch(/at a\.yaml:\d+:\d+\n/);
    expect(ran.stderr).toMatch(/c\.yaml is not encoded as UTF-8/);
    expect(ran.stderr).toMatch(/at d\.yaml:3:1\n/);
    expect(ran.all).not.toContain('canary');
    expect(read(shell, 'a.yaml')).toBe(broken);
    const validated = await shell.run(['validate', '-f', 'a.yaml']);
    const place = /at a\.yaml:\d+:\d+/.exec(validated.stderr)![0];
    expect(ran.stderr).toContain(place);
  });

  test('`-` goes from standard input to standard output, and stands alone', async () => {
    const shell = new Shell();
    expect(await shell.run(['fmt', '-'], { input: untidy })).toMatchObject({
      status: 0,
      stdout: header,
      stderr: '',
    });
    expect(await shell.run(['fmt', '-'], { input: '' })).toMatchObject({ status: 0, stdout: '' });
    const broken = await shell.run(['fmt', '-'], { input: 'a: [\n' });
    expect(broken).toMatchObject({ status: 1, stdout: '' });
    expect(broken.stderr).toMatch(/at <stdin>:\d+:\d+/);
    const checked = await shell.run(['fmt', '-', '--check'], { input: untidy });
    expect(checked.status).toBe(1);
    expect(checked.stdout).toMatch(/^<stdin>\n {2}@@ line 1 @@\n/);
    expect((await shell.run(['fmt', '-', '--check'], { input: header })).status).toBe(0);
    expect((await shell.run(['fmt', '-', 'a.yaml'])).stderr).toMatch(/cannot be combined with files/);
  });

  test('paths that are not there, flags that are none, nothing to find', async () => {
    const shell = await new Shell().write({ 'trueup.yaml': header });
    expect(await shell.run(['fmt', 'nope.yaml'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nope.yaml'),
    });
    expect((await shell.run(['fmt', '--dry-run'])).stderr).toMatch(/^error: unknown option/);
    expect(await new Shell().run(['fmt'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('trueup.yaml'),
    });
  });

  test('a file that is protected is left alone', async ({ skip }) => {
    if (process.getuid?.() === 0) skip('root may write everything');
    const shell = await new Shell().write({ 'trueup.yaml': untidy });
    chmodSync(join(shell.folder, 'trueup.yaml'), 0o444);
    expect(await shell.run(['fmt'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be written'),
    });
    expect(read(shell, 'trueup.yaml')).toBe(untidy);
  });

  story('the examples, and what init writes, are in their normal form', async () => {
    const examples = await new Shell().run(['fmt', '--check', join(process.cwd(), 'examples')]);
    expect(examples).toMatchObject({ status: 0, stdout: '' });
    const shell = new Shell();
    await shell.run(['init']);
    expect(await shell.run(['fmt', '--check'])).toMatchObject({ status: 0, stdout: '' });
  });
});
