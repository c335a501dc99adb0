// `npm run demo`: the whole story on a twin of the platform, in a folder of its own that is removed in the end.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const trueup = fileURLToPath(new URL('../dist/trueup.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'trueup-demo-'));
const seed = join(folder, 'account.json');
// A build takes its time there, as it does on the platform.
const account = JSON.parse(readFileSync(new URL('shop.seed.json', import.meta.url), 'utf8'));
writeFileSync(seed, JSON.stringify({ ...account, builds: { seconds: 3 } }));
cpSync(new URL('shop', import.meta.url), join(folder, 'trueup'), { recursive: true });

const bold = (text) => (process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text);
const say = (text) => console.log(`\n${bold(`# ${text}`)}\n`);

const twin = spawn(process.execPath, [trueup, 'twin', '--seed', seed], {
  stdio: ['ignore', 'pipe', 'pipe'],
});
// What the twin says is of no interest here, unless it does not start.
let complaints = '';
twin.stderr.setEncoding('utf8').on('data', (text) => {
  complaints += text;
});
const ended = new Promise((resolve) => twin.once('exit', resolve));
const url = await new Promise((resolve, reject) => {
  createInterface({ input: twin.stdout }).once('line', resolve);
  twin.once('exit', () => reject(new Error(`the twin did not start: ${complaints}`)));
});

const env = {
  ...process.env,
  CI: '',
  TRUEUP_BASE_URL: url,
  TRUEUP_TOKEN: 'any-token-will-do',
  TRUEUP_SECRET_database: 'postgres://shop:not-shown-anywhere@db.example/shop',
};

function run(args, expected) {
  console.log(bold(`$ trueup ${args.join(' ')}`));
  const { status } = spawnSync(process.execPath, [trueup, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== expected) throw new Error(`trueup ${args[0]} ended with ${status}, not ${expected}`);
}

/** Somebody uses the dashboard: the same API, behind the tool's back. */
async function dashboard(method, path, body) {
  const answer = await fetch(`${url}${path}?slug=acme`, {
    method,
    headers: { authorization: 'Bearer somebody', 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.json();
}

try {
  say('An existing account, on a twin of the platform. What would change?');
  run(['plan', '--detailed-exitcode'], 2);
  say('Existing objects are adopted, there is nothing to import. Apply without a prompt:');
  run(['apply', '--auto-approve'], 0);
  say('The same plan again:');
  run(['plan', '--detailed-exitcode'], 0);
  say(
    'Somebody pushes: from here on a deployment serves visitors, and a changed variable needs another one.',
  );
  await dashboard('POST', '/v13/deployments', {
    name: 'shop',
    target: 'production',
    gitSource: { type: 'github', org: 'acme', repo: 'shop', ref: 'main' },
  });
  run(['wait', 'deployment', '--of', 'projects/shop'], 0);
  const file = join(folder, 'trueup', 'trueup.yaml');
  const then = '$then: [{ redeploy: { target: production }, when: [env], wait: { minutes: 10 } }]';
  const changed = readFileSync(file, 'utf8')
    .replace('    nodeVersion: 22.x\n', (line) => `${line}    ${then}\n`)
    .replace('LOG_LEVEL: info', 'LOG_LEVEL: warn');
  writeFileSync(file, changed);
  say(
    `A pull request changes the log level, and declares the action that follows such a change:\n#   ${then}\n# The plan shows the build, apply starts it and waits until it is ready:`,
  );
  run(['plan', '--detailed-exitcode'], 2);
  run(['apply', '--auto-approve'], 0);
  say('Now somebody changes a DNS record and turns the log level up in the dashboard.');
  const { records } = await dashboard('GET', '/v5/domains/shop.example/records');
  const record = records.find(({ type }) => type === 'A');
  await dashboard('PATCH', `/v1/domains/records/${record.id}`, { value: '203.0.113.66' });
  const { envs } = await dashboard('GET', '/v10/projects/shop/env');
  const variable = envs.find(({ key }) => key === 'LOG_LEVEL');
  await dashboard('PATCH', `/v9/projects/shop/env/${variable.id}`, { value: 'trace' });
  run(['plan', '--detailed-exitcode', '--requests'], 2);
  say('Repair it:');
  run(['apply', '--auto-approve'], 0);
  say('That was all. Nothing of it is left on this machine. Next: the README, "With an existing account".');
} finally {
  twin.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true });
}
