import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

const names = ['ONE', 'TWO', 'THREE', 'FOUR'];
const configuration = `stack: demo
platform: { team: acme }
secrets: { ${names.map((name) => `${name.toLowerCase()}: { env: MY_${name} }`).join(', ')} }
projects:
  web:
    env: { ${names.map((name) => `${name}: "\${secret.${name.toLowerCase()}}"`).join(', ')} }
  docs: { framework: futurejs }
`;

test('secrets that are missing are one warning, which says what to set', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': configuration });
  const { stderr } = await shell.run(['plan', '--twin']);
  expect(stderr).toContain(
    '4 secrets are not available, since their environment variables are not set: one, two, three and 1 more',
  );
  expect(stderr).toContain('-> set MY_ONE, MY_TWO, MY_THREE, MY_FOUR');
  expect(stderr).toContain('2 warnings');
});

test('a plan of a part warns of that part only, in its document, too', async () => {
  const shell = await new Shell().write({ 'trueup.yaml': configuration });
  const codes = async (...args: string[]) => {
    const { stdout } = await shell.run(['plan', '--twin', '--json', ...args]);
    return JSON.parse(stdout).diagnostics.map(({ code }: { code: string }) => code);
  };
  expect(await codes('--target', 'projects/docs')).toEqual(['config/unknown-value']);
  expect(await codes('--target', 'projects/web/env/ONE@*')).toEqual(['secret/unset', 'target/closure']);
});
