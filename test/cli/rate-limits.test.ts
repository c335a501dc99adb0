import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

it('a rate limit beyond --max-wait: the rest is done, and an exit code says to run it again later', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: test
platform: { team: acme }
projects: { web: {} }
domains: { example.com: { $existing: true, records: [{ type: A, name: x, value: 192.0.2.1 }] } }
`,
  });
  const twin = await shell.withTwin({ domains: [{ name: 'example.com' }] });
  twin.setFaults({
    faults: [{ at: { operation: 'createRecord' }, do: { type: 'rateLimit', retryAfter: 2580 } }],
  });
  const limited = await shell.run(['apply', '--auto-approve']);
  expect(limited.status).toBe(75);
  expect(limited.stdout).toContain(`created (1):
  projects/web

left (1), because the rate limit of POST /v2/domains/{domain}/records is used up for 43 min:
  domains/example.com/records/x/A
`);
  expect(limited.stdout.trimEnd().split('\n').at(-1)).toBe('Apply not finished: 1 done, 1 left.');

  twin.setFaults({ faults: [] });
  const rest = await shell.run(['apply', '--auto-approve']);
  expect(rest.status).toBe(0);
  expect(rest.stdout).toContain('1 created');
});
