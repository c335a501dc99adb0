import { test } from 'vitest';
import { workplace } from './workplace.ts';
test('x', async () => {
  const { shell } = await workplace();
  for (const args of [['plan','--all','--out','p.json'],  ['apply','p.json'], ['apply','p.json'], ['plan', '--all']]) {
    const ran = await shell.run(args);
    console.log(args.join(' '), ran.status, '\n', ran.stdout, '\nERR', ran.stderr);
  }
});
test('y', async () => {
  const { shell } = await workplace();
  for (const args of [['apply','--all','--auto-approve'],  ['plan', '--all', '--detailed-exitcode']]) {
    const ran = await shell.run(args);
    console.log(args.join(' '), ran.status, '\n', ran.stdout, '\nERR', ran.stderr);
  }
});
