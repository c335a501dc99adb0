import { expect, it } from 'vitest';
import { Shell } from '../support/cli.ts';

const yaml = (code: string) => `stack: s
platform: { team: acme }
variables: { sites: { file: sites.csv } }
projects:
  "\${each.key}":
    $each: \${var.sites}
    nodeVersion: \${each.value.node}
    previewDeploymentsDisabled: \${each.value.open}
    domains: { a.example.com: { redirect: example.com, redirectStatusCode: ${code} }, example.com: {} }
`;

it('a cell of a CSV is the number or boolean that a field takes, and text where it takes that', async () => {
  const shell = await new Shell().write({
    'sites.csv': 'name,node,open,code\none,22.x,true,308\n',
    'trueup.yaml': yaml('"${each.value.code}"'),
  });
  const { status, all } = await shell.run(['validate', '--allow-files', 'sites.csv']);
  expect(status, all).toBe(0);
});

it.each([
  ['"308"', '`308` must be a number here, not a text', 'write it without quotes: 308'],
  ['"${each.value.code}"', 'this value is not allowed here', 'allowed values: `301`'],
  ['"${each.value.word}"', 'this value is not allowed here', 'allowed values: `301`'],
])('%s in a field for numbers is told as what it is', async (code, message, hint) => {
  const shell = await new Shell().write({
    'sites.csv': 'name,node,open,code,word\none,22.x,true,999,temporary\n',
    'trueup.yaml': yaml(code),
  });
  const { status, stderr } = await shell.run(['validate', '--allow-files', 'sites.csv']);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});
