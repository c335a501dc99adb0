import { expect, onTestFinished } from 'vitest';
import { Shell } from '../support/cli.ts';
import { inFront } from '../support/in-front.ts';
import { keyText } from '../support/keys.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const yaml = `stack: demo
platform: { team: acme }
projects: { web: { env: { A: { value: a, target: [production], type: sensitive } }, domains: { www.example.com: {} } } }
`;

story('what a token may not read is named; with --allow-incomplete that is no failure', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': yaml });
  const twin = await shell.withTwin();
  let isPoor = false;
  const front = await inFront(
    () => twin.url,
    async ({ method, path }, pass) => {
      if (isPoor && path.includes('/domains'))
        return { status: 403, body: Buffer.from('{"error":{"code":"forbidden","message":"Not yours."}}') };
      const answer = await pass();
      if (!isPoor || method !== 'GET' || !path.includes('/env')) return answer;
      const { envs, ...rest } = JSON.parse(String(answer!.body));
      const withheld = envs.map((row: object) => ({ ...row, decrypted: false, value: 'ciphertext' }));
      return { status: 200, body: Buffer.from(JSON.stringify({ ...rest, envs: withheld })) };
    },
  );
  onTestFinished(front.close);
  const env = { ...shell.env, TRUEUP_BASE_URL: front.url };
  shell.env = { ...env, TRUEUP_LEDGER_KEY: keyText() };
  expect((await shell.run(['apply', '--auto-approve', '--settle', '0'])).status).toBe(0);
  isPoor = true;
  shell.env = { ...env, CI: 'true', TRUEUP_LEDGER: '.trueup/ledger/demo.json' };

  // The flag changes the exit code, and nothing that anybody reads.
  for (const format of ['text', 'json', 'markdown', 'html', 'sarif', 'terraform', 'terraform-text']) {
    const refused = await shell.run(['plan', '--format', format]);
    const allowed = await shell.run(['plan', '--format', format, '--allow-incomplete']);
    expect([refused.status, allowed.status], format).toEqual([1, 0]);
    const [shown, shownAllowed] = [refused, allowed].map(({ stdout, stderr }) =>
      `${stdout}${stderr}`.replace(/<time.*?<\/time>|\d+ seconds? ago/g, ''),
    );
    expect(shownAllowed, format).toEqual(shown);
  }
  const allowed = await shell.run(['plan', '--allow-incomplete']);
  expect(allowed.stdout).toMatch(
    /^This plan is incomplete; not compared:\n {2}- 1 object could not be read \(.*403.*\): projects\/web\/domains\/www.example.com$/ms,
  );
  expect(allowed.stdout).toContain('Incomplete: 1 object and 1 secret not compared.');
  const [marker, heading] = (
    await shell.run(['plan', '--format', 'markdown', '--allow-incomplete'])
  ).stdout.split('\n\n');
  expect(marker).toMatch(/^<!--/);
  expect(heading).toMatch(/^### trueup plan: .*: 1 object and 1 secret not compared$/);
  expect(allowed.stderr).toContain('1 secret is not compared');
  expect(allowed.stdout).toContain('0 to create, 0 to adopt, 0 to update, 0 to delete');
});

story('what belongs to a team is refused in an account of a person, before anything is sent', async () => {
  const shell = await new Shell().write({
    'trueup.yaml':
      'stack: demo\nplatform: { personal: true }\nmembers: { ada@example.com: { role: VIEWER } }\n',
  });
  const twin = await shell.withTwin();
  const { status, stdout, stderr } = await shell.run(['plan']);
  expect(status).toBe(1);
  expect(stdout + stderr).toContain('belongs to a team, but this is a personal account');
  expect(stdout + stderr).toContain('name the team in `platform: { team: ... }`');
  expect(twin.requests.filter(({ path }) => path.includes('members'))).toEqual([]);
});
