import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Shell } from '../support/cli.ts';

test('the guide shows what diff prints and what --promote writes', async () => {
  const page = readFileSync('docs/guides/staging-to-production.md', 'utf8');
  const blockOf = (language: string) =>
    new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)![1]!;
  const shell = await new Shell().write({ 'trueup.yaml': blockOf('yaml') });
  const { stdout } = await shell.run(['diff', 'staging', 'production']);
  expect(stdout).toBe(blockOf('text'));
  const command = /^trueup (diff .*--promote.*)$/m.exec(page)![1]!;
  const promoted = await shell.run(command.split(' '));
  expect(promoted.stderr).toBe('Wrote trueup.yaml.\n');
  expect(promoted.stdout).toContain(blockOf('diff'));
});
