import { expect, it } from 'vitest';
import { exitCodeMeanings, exitCodes } from '../../src/cli/exit-codes.ts';
import { Shell } from '../support/cli.ts';
import { gateTo } from '../support/gate.ts';
import { oneRowIn } from '../support/sweep.ts';
import { until } from '../support/until.ts';

const yaml = `stack: demo
platform: { team: acme }
projects: { web: {} }
domains: { example.com: { $existing: true, records: [{ type: A, name: x, value: 192.0.2.1 }] } }
`;

async function folder(files: Record<string, string> = { 'trueup.yaml': yaml }) {
  const shell = await new Shell().write(files);
  const twin = await shell.withTwin({ domains: [{ name: 'example.com' }] });
  const status = async (...args: string[]) => (await shell.run(args)).status;
  return { shell, twin, status };
}

/** Everything that each code is given for. */
const given: Record<keyof typeof exitCodes, () => Promise<(number | null)[]>> = {
  done: async () => {
    const { status } = await folder();
    const shown = [
      await status('plan'),
      await status('plan', '--out', 'plan.json'),
      await status('show', 'plan.json'),
    ];
    const applied = [await status('apply', 'plan.json'), await status('plan', '--detailed-exitcode')];
    return [...shown, ...applied];
  },
  failed: async () => {
    const { status } = await folder();
    const broken = await folder({ 'trueup.yaml': `${yaml}nope: {}\n` });
    return [
      // Nobody can be asked.
      await status('apply'),
      await status('show', 'trueup.yaml'),
      await status('plan', '--no-such-flag'),
      await broken.status('validate'),
      await broken.status('plan', '--detailed-exitcode'),
    ];
  },
  changes: async () => {
    const { status } = await folder();
    return [
      await status('plan', '--detailed-exitcode', '--out', 'plan.json'),
      await status('show', 'plan.json', '--detailed-exitcode'),
    ];
  },
  tryAgainLater: async () => {
    const { twin, status } = await folder();
    const limited = (operation: string, ...args: string[]) => {
      twin.setFaults({ faults: [{ at: { operation }, do: { type: 'rateLimit', retryAfter: 2580 } }] });
      return status(...args);
    };
    twin.add({ projects: [{ name: 'web', deployments: [{ target: 'production' }] }] });
    return [
      await limited('createRecord', 'apply', '--auto-approve'),
      await limited('createDeployment', 'run', 'redeploy', 'web', '--auto-approve'),
      await limited('getProject', 'api', 'getProject', '--project', 'web'),
      // It asks whose account it is, and does not come further.
      await limited('getTeam', 'plan'),
    ];
  },
  interrupted: async () => {
    const { shell, twin } = await folder();
    const gate = await gateTo(twin.url, (method) => method === 'POST');
    shell.env = { ...shell.env, TRUEUP_BASE_URL: gate.url };
    const { signal, said, ended } = shell.start(['apply', '--auto-approve', '--parallelism', '1']);
    await gate.firstHeld;
    signal('SIGINT');
    await until(() => said().includes('Stopping'));
    gate.open();
    return [(await ended).status];
  },
};

oneRowIn(5)(Object.keys(exitCodes) as (keyof typeof exitCodes)[])('%s', async (name) => {
  const codes = await given[name]();
  expect(codes).toEqual(codes.map(() => exitCodes[name]));
});

it('the help says all of them', async () => {
  const { stdout } = await new Shell().run(['--help']);
  for (const name of Object.keys(exitCodes) as (keyof typeof exitCodes)[])
    expect(stdout.replace(/\n {7}/g, ' ')).toContain(
      `  ${String(exitCodes[name]).padEnd(4)} ${exitCodeMeanings[name]}\n`,
    );
});
