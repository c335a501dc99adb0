import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { workplace } from '../workspace/workplace.ts';

const story = oneStoryIn(5);

story(
  'a rate limit beyond --max-wait: the rest is done, and an exit code says to run it again later',
  async () => {
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
  },
);

const web = `stack: test
platform: { team: acme }
projects: { web: { env: { A: { value: a, target: [production] } } } }
`;

story('a rate limit of a list: every command that reads it can be run again later', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': web,
    'trueup.workspace.yaml': 'stacks: [.]\n',
  });
  const twin = await shell.withTwin({ projects: [{ name: 'web' }] });
  const limit = { type: 'rateLimit', retryAfter: 2580 } as const;
  twin.setFaults({ faults: [{ at: { operation: 'filterProjectEnvs' }, do: limit }] });
  for (const args of [
    ['plan'],
    ['plan', '--drift-exitcode'],
    ['plan', '--all'],
    ['apply', '--auto-approve'],
    ['apply', '--all', '--auto-approve'],
    ['accept', '--all'],
    ['accept', 'projects/web/env/*'],
    ['export', '--team', 'acme', '--out', 'account.yaml'],
    ['graph'],
    ['blame', 'projects/web/env/A@production'],
  ]) {
    const ran = await shell.run(args);
    expect([args.join(' '), ran.status], ran.all).toEqual([args.join(' '), 75]);
  }
  // With another problem there is something to fix.
  const denied = { at: { operation: 'getProjects' }, do: { type: 'status', status: 403 } } as const;
  twin.setFaults({ faults: [{ at: { operation: 'filterProjectEnvs' }, do: limit }, denied] });
  expect((await shell.run(['plan'])).status).toBe(1);
  expect((await shell.run(['accept', '--all'])).status).toBe(1);
});

story('a rate limit of a list that an undo or destroy reads, also after its writes', async () => {
  const { shell, git, twin } = await workplace({
    'trueup.workspace.yaml': 'stacks: [dns]\n',
    'dns/trueup.yaml': 'stack: dns\nplatform: { team: acme }\nprojects: { hub: { env: { A: one } } }\n',
  });
  const apply = ['apply', '--all', '--auto-approve', '--settle', '0'];
  expect((await shell.run(apply)).status).toBe(0);
  await shell.write({
    'dns/trueup.yaml': 'stack: dns\nplatform: { team: acme }\nprojects: { hub: { env: { A: two } } }\n',
  });
  git('commit', '-qam', 'two');
  expect((await shell.run(apply)).status).toBe(0);
  const limit = { type: 'rateLimit', retryAfter: 2580 } as const;
  twin.setFaults({ faults: [{ at: { operation: 'filterProjectEnvs' }, do: limit }] });
  for (const args of [
    ['undo', '2', '-f', 'dns', '--auto-approve'],
    ['undo', '--commit', 'HEAD', '--all', '--auto-approve'],
    ['destroy', '-f', 'dns', '--confirm', 'dns'],
  ]) {
    const ran = await shell.run([...args, '--settle', '0']);
    expect([args.join(' '), ran.status], ran.all).toEqual([args.join(' '), 75]);
    expect(ran.all).not.toContain('Verified:');
  }
  // The write is done, and its verification is limited.
  twin.setFaults({ faults: [] });
  const { provider } = shell;
  shell.provider = {
    ...provider,
    connect: async (options) => {
      const connection = await provider.connect(options);
      return {
        ...connection,
        send: async (request, confirm) => {
          const answer = await connection.send(request, confirm);
          if (!request.endpoint.startsWith('GET '))
            twin.setFaults({ faults: [{ at: { operation: 'filterProjectEnvs' }, do: limit }] });
          return answer;
        },
      };
    },
  };
  const ran = await shell.run(['undo', '--commit', 'HEAD', '--all', '--auto-approve', '--settle', '0']);
  expect(ran.all).toContain('Applied, but not verified');
  expect(ran.status, ran.all).toBe(75);
});

story('a stack that needs a limited one can be applied later, too', async () => {
  const { shell, twin } = await workplace({
    'trueup.workspace.yaml': 'stacks: [dns, { path: tools, needs: [dns] }]\n',
    'tools/trueup.yaml': 'stack: tools\nplatform: { team: acme }\nprojects: { intranet: {} }\n',
  });
  const limit = { type: 'rateLimit', retryAfter: 2580 } as const;
  twin.setFaults({ faults: [{ at: { operation: 'createProject' }, do: limit }] });
  const ran = await shell.run(['apply', '--all', '--auto-approve', '--settle', '0']);
  expect(ran.all).toContain('tools: Not applied: it needs dns');
  expect(ran.status, ran.all).toBe(75);
});

story(
  'a rate limit of the verification after the writes: all is applied, and can be verified later',
  async () => {
    const shell = await new Shell().write({ 'trueup.yaml': web });
    const twin = await shell.withTwin();
    twin.setFaults({
      faults: [
        {
          at: { operation: 'filterProjectEnvs' },
          do: { type: 'rateLimit', retryAfter: 2580 },
        },
      ],
    });
    const ran = await shell.run(['apply', '--auto-approve']);
    expect([ran.status, ran.stdout.includes('created (2)')], ran.all).toEqual([75, true]);
    expect(ran.stderr).toContain('Applied, but not verified: the account could not be read again.');
  },
);

it('a plan of 300 domains and 40 tokens forecasts hours, and counts the reads of its apply', async () => {
  const domains = Array.from({ length: 300 }, (_, index) => `d${index}.example.com: {}`);
  const tokens = Array.from({ length: 40 }, (_, index) => `t${index}: { $secretTo: discard }`);
  const shell = await new Shell().write({
    'trueup.yaml': `stack: test
platform: { team: acme }
domains: { ${domains} }
authTokens: { ${tokens} }
`,
  });
  await shell.withTwin({});
  const { stdout } = await shell.run(['plan', '--json']);
  const { forecast, reads } = JSON.parse(stdout);
  expect(forecast.seconds).toBeGreaterThan(7200);
  // Apply plans again, checks its lists, and plans once more to verify.
  expect(forecast.reads).toBeGreaterThan(2 * reads);
  for (const [what, requests, allowed, window] of [
    ['domain creations', 300, 120, 3600],
    ['token creations', 40, 32, 3600],
    ['token reads', expect.any(Number), 120, 60],
  ])
    expect(forecast.limits).toContainEqual({ what, requests, allowed, window });
});
