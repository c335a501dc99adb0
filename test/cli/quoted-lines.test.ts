import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const quotedBy = async (body: string) => {
  const shell = await new Shell().write({
    'trueup.yaml': `stack: demo\nplatform: { team: acme }\n${body}\n`,
  });
  const { all, status } = await shell.run(['validate']);
  expect(status, all).toBe(1);
  return all;
};

test.each([
  ['projects: { web: { frmework: nextjs } }', 'frmework: nextjs'],
  ['projects: { web: { framework: nextjs, nodeVersion: [] } }', 'framework: nextjs, nodeVersion: []'],
  ['projects: { web: { gitRepository: { type: github, rpo: acme/web } } }', 'rpo: acme/web'],
  ['projects: { web: { env: { A: { value: in-clear, typ: plain } } } }', 'value: in-clear, typ: plain'],
  [
    'projects: { web: { env: { A: { value: in-clear, target: [nowhere] } } } }',
    'value: in-clear, target: [nowhere]',
  ],
  ['projects: [{ framework: nextjs }]', 'framework: nextjs'],
])('a quoted line shows what is no secret: %s', async (body, shown) => {
  expect(await quotedBy(body)).toContain(shown);
});

test.each([
  'projects: { web: { tokn: canary-1 } }',
  'projects: { web: { passwordProtection: { deploymentType: all, pasword: canary-2 } } }',
  'projects: { web: { env: { A: { valeu: canary-3 } } } }',
  'projects: { web: { env: { A: { value: canary-4, type: sensitive, target: [nowhere] } } } }',
  'projects: { web: { env: { A: { value: canary-5, visibility: secret, target: [nowhere] } } } }',
  'projects: { web: { passwordProtection: [{ password: canary-6 }] } }',
  'projects: { web: { passwordProtection: canary-10 } }',
  'projects: { web: { enviroment: { A: canary-7 } } }',
  'projects: [{ env: { A: canary-8 }, token: canary-9, x: 1 }]',
])('a quoted line keeps back what is secret, and what may be: %s', async (body) => {
  expect(await quotedBy(body)).not.toContain('canary');
});
