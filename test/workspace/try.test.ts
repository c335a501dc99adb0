import { test } from 'vitest';
import { workplace } from './workplace.ts';
test('x', async () => {
  const { shell } = await workplace();
  for (const args of [['stacks'], ['stacks','--json'], ['plan','--all'], ['plan','--all','--format','markdown'], ['plan','--all','--out','p.json']]) {
    const ran = await shell.run(args);
    console.log(args.join(' '), ran.status, '\n', ran.stdout, '\nERR', ran.stderr);
  }
});
