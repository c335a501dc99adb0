import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { serve } from '../http/serve.ts';
import { Shell } from '../support/cli.ts';
import { startProcess } from '../support/process.ts';

const webhook = (secretTo: unknown) => `stack: demo
platform: { team: acme }
webhooks:
  deploys:
    url: https://hooks.example.com/deploys
    events: [deployment.error]
    $secretTo: ${JSON.stringify(secretTo)}
`;

/** The flag that lets a script run. */
const allow = (script: string) => ['--allow-command', `sh -c '${script}'`];

async function begin(secretTo: unknown) {
  const shell = await new Shell().write({ 'trueup.yaml': webhook(secretTo) });
  const twin = await shell.withTwin();
  const seen: string[] = [];
  const run = async (...args: string[]) => {
    const ran = await shell.run(args);
    seen.push(ran.all);
    return ran;
  };
  /** All that was printed, and every file but those named. */
  const leaks = (...but: string[]) => [
    ...seen,
    ...readdirSync(shell.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !but.includes(entry.name))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  ];
  const secrets = () => twin.account.webhooks.map(({ secret }) => secret);
  return { shell, twin, run, leaks, secrets };
}

test('a secret goes into its file and appears nowhere else', async () => {
  const { shell, run, leaks, secrets } = await begin({ file: '.secrets/hook.txt' });
  await run('plan', '--requests', '--verbose');
  await run('plan', '--json');
  expect((await run('apply', '--auto-approve', '--verbose', '--requests')).status).toBe(0);
  const file = join(shell.folder, '.secrets/hook.txt');
  expect(readFileSync(file, 'utf8').trim()).toBe(secrets()[0]);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect((await run('plan', '--json', '--detailed-exitcode')).status).toBe(0);
  await run('ledger', 'show', 'webhooks/deploys');
  expect(leaks('hook.txt').filter((text) => text.includes(secrets()[0]!))).toEqual([]);
});

test('a place that takes no secret is refused before anything is sent', async () => {
  const { twin, run } = await begin({ command: ['sh', '-c', 'cat > got'] });
  const ran = await run('apply', '--auto-approve');
  expect([ran.status, twin.account.webhooks]).toEqual([1, []]);
  expect(ran.stderr).toContain('webhooks/deploys: its secret could not be delivered: the command sh');
  expect(ran.stderr).toContain('--allow-command ');
});

test('a command that fails leaves a tainted object; the next run replaces it, says why, and is done', async () => {
  const { shell, run, leaks, secrets } = await begin({ command: ['sh', '-c', 'cat > got; exit 7'] });
  const failed = await run('apply', '--auto-approve', ...allow('cat > got; exit 7'), '--verbose');
  expect(failed.status).toBe(1);
  expect(failed.all).toContain('the secret could not be delivered: sh ended with exit code 7');
  const [lost] = secrets();

  await shell.write({ 'trueup.yaml': webhook({ command: ['sh', '-c', 'cat > got'] }) });
  const plan = await run('plan', '--detailed-exitcode');
  expect(plan.status).toBe(2);
  expect(plan.stdout).toContain('the secret shown at its creation was not delivered');
  expect((await run('apply', '--auto-approve', ...allow('cat > got'))).status).toBe(0);
  expect(secrets()).toHaveLength(1);
  expect(readFileSync(join(shell.folder, 'got'), 'utf8').trim()).toBe(secrets()[0]);
  for (const secret of [lost!, secrets()[0]!])
    expect(leaks('got').filter((text) => text.includes(secret))).toEqual([]);
});

test('a run that is killed before its secret arrived is known to the next one', async () => {
  const { shell, run, secrets } = await begin({ command: ['sh', '-c', 'kill -9 $PPID'] });
  const killed = startProcess(['apply', '--auto-approve', ...allow('kill -9 $PPID')], {
    cwd: shell.folder,
    env: shell.env,
  });
  expect((await killed.ended).status).toBeNull();
  expect(secrets()).toHaveLength(1);
  await shell.write({ 'trueup.yaml': webhook({ file: 'got' }) });
  // Its lease would run out in a minute.
  expect((await run('ledger', 'unlock', '--force')).status).toBe(0);
  const ran = await run('apply', '--auto-approve');
  expect([ran.status, ran.stdout]).toEqual([0, expect.stringContaining('was not delivered')]);
  expect(secrets()).toHaveLength(1);
  expect(readFileSync(join(shell.folder, 'got'), 'utf8').trim()).toBe(secrets()[0]);
});

test('a creation whose answer is lost is known to the next run, and its new secret arrives', async () => {
  const { shell, twin, run, secrets } = await begin({ file: 'got' });
  // Passes everything on; the answer to the first creation is cut off.
  let isCut = true;
  const behind = await serve(async (request, response) => {
    const answer = await fetch(twin.url + request.url, {
      method: request.method!,
      headers: { authorization: request.headers.authorization! },
      ...(request.method === 'GET' ? {} : { body: await text(request) }),
    });
    if (request.method === 'POST' && isCut) return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  });
  shell.env.TRUEUP_BASE_URL = behind;
  const cut = await run('apply', '--auto-approve', '--ledger', 'ledger.json');
  expect([cut.status, existsSync(join(shell.folder, 'got'))]).toEqual([1, false]);
  const [lost] = secrets();
  expect(lost).toBeDefined();
  const ledger = join(shell.folder, 'ledger.json');
  expect(Object.keys(JSON.parse(readFileSync(ledger, 'utf8')).begun)).toEqual(['webhooks/deploys']);
  isCut = false;

  const again = await run('apply', '--auto-approve', '--ledger', 'ledger.json');
  expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('was not delivered')]);
  expect(secrets()).toHaveLength(1);
  expect(readFileSync(join(shell.folder, 'got'), 'utf8').trim()).toBe(secrets()[0]);
  expect(JSON.parse(readFileSync(ledger, 'utf8'))).not.toHaveProperty('begun');
});

test.each([
  ['.trueup/key', 'belongs to trueup, to git or to the configuration'],
  ['trueup.yaml', 'belongs to trueup, to git or to the configuration'],
  ['state.json', 'belongs to trueup, to git or to the configuration'],
  ['notes.txt', 'already exists'],
])('a secret does not take the place of %s', async (file, why) => {
  const { shell, twin, run } = await begin({ file });
  shell.env.TRUEUP_LEDGER = 'state.json';
  await shell.write({ 'notes.txt': 'mine' });
  expect((await run('ledger', 'key')).status).toBe(0);
  const before = existsSync(join(shell.folder, file)) && readFileSync(join(shell.folder, file), 'utf8');
  const ran = await run('apply', '--auto-approve');
  expect([ran.status, twin.account.webhooks]).toEqual([1, []]);
  expect(ran.stderr).toContain(`webhooks/deploys: its secret could not be delivered: ${file} ${why}`);
  expect(existsSync(join(shell.folder, file)) && readFileSync(join(shell.folder, file), 'utf8')).toBe(before);
});

test('two secrets do not go into one file', async () => {
  const { shell, twin, run } = await begin({ file: 'got' });
  const other =
    '  builds: { url: https://hooks.example.com/b, events: [deployment.error], $secretTo: { file: ./got } }';
  await shell.write({ 'trueup.yaml': `${webhook({ file: 'got' })}${other}\n` });
  const ran = await run('apply', '--auto-approve');
  expect([ran.status, twin.account.webhooks]).toEqual([1, []]);
  expect(ran.stderr).toContain('the secret of webhooks/builds goes to the same file');
  expect(ran.stderr).toContain('the secret of webhooks/deploys goes to the same file');
});

test('a webhook that is replaced has its new secret in the place of the old one', async () => {
  const { shell, run, secrets } = await begin({ file: 'got' });
  await run('apply', '--auto-approve');
  const [old] = secrets();
  await shell.write({
    'trueup.yaml': webhook({ file: 'got' }).replace(
      '[deployment.error]',
      '[domain.created]\n    $replace: allow',
    ),
  });
  const ran = await run('apply', '--auto-approve');
  expect(ran.status, ran.all).toBe(0);
  expect(readFileSync(join(shell.folder, 'got'), 'utf8').trim()).toBe(secrets()[0]);
  expect(secrets()).not.toContain(old);
});

test('what the embedded twin shows takes no place of a real secret, and no command gets it', async () => {
  const { shell, run } = await begin({ file: '.secrets/hook' });
  await shell.write({ '.secrets/hook': 'the real one' });
  const ran = await run('apply', '--twin', '--auto-approve');
  expect(ran.status, ran.all).toBe(0);
  expect(ran.stderr).toContain('.trueup/twin/secrets/.secrets/hook; a real one would be in .secrets/hook');
  expect(readFileSync(join(shell.folder, '.secrets/hook'), 'utf8')).toBe('the real one');
  const shown = join(shell.folder, '.trueup/twin/secrets/.secrets/hook');
  expect(readFileSync(shown, 'utf8').trim()).not.toBe('');
  expect((statSync(shown).mode & 0o777).toString(8)).toBe('600');

  await shell.write({
    'trueup.yaml': webhook({ command: ['sh', '-c', 'cat > got'] })
      .replace('  deploys:', '  builds:')
      .replace('com/deploys', 'com/builds'),
  });
  const commanded = await run('apply', '--twin', '--auto-approve');
  expect(commanded.status, commanded.all).toBe(0);
  expect(commanded.stderr).toContain("webhooks/builds: the twin's secret is not passed to the command");
  expect(existsSync(join(shell.folder, 'got'))).toBe(false);
});

test('what has to stay on this machine is kept out of git, also where `init` never ran', async () => {
  const { shell, run } = await begin('discard');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: shell.folder, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  await shell.write({
    'trueup.yaml': `${webhook('discard')}secrets: { a: {} }\nprojects: { web: { env: { A: "\${secret.a}" } } }\n`,
  });
  shell.env.TRUEUP_SECRET_a = 'value';
  expect((await run('apply', '--auto-approve')).status).toBe(0);
  expect((await run('apply', '--twin', '--auto-approve')).status).toBe(0);
  const seen = git('ls-files', '--others', '--exclude-standard').trim().split('\n');
  expect(seen.sort()).toEqual([
    '.trueup/.gitattributes',
    '.trueup/.gitignore',
    '.trueup/ledger/demo.history/000001.json',
    '.trueup/ledger/demo.json',
    'trueup.yaml',
  ]);
  expect(readdirSync(join(shell.folder, '.trueup')).sort()).toEqual([
    '.gitattributes',
    '.gitignore',
    'key',
    'ledger',
    'twin',
  ]);
  await shell.write({ '.trueup/.gitignore': '*\n' });
  await run('init');
  expect(readFileSync(join(shell.folder, '.trueup/.gitignore'), 'utf8')).toBe('*\n');
});
