// The tool as a library: a plan and its apply, here on a twin of the platform that the program starts itself.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apply, load, openPlan, Problems, startTwin } from 'trueup';

const cwd = mkdtempSync(join(tmpdir(), 'trueup-library-'));
writeFileSync(
  join(cwd, 'trueup.yaml'),
  'stack: demo\nplatform: { team: acme }\nprojects:\n  web: { framework: nextjs }\n',
);
const twin = await startTwin({ seed: { team: { slug: 'acme' } } });
try {
  const configuration = await load({ cwd, env: { TRUEUP_TOKEN: 'any' } });
  const open = await openPlan(configuration, { baseUrl: twin.url, settle: 0 });
  try {
    console.log(open.text());
    if (!open.hasErrors && !open.isEmpty) {
      const { outcome, after } = await apply(open, {
        onEvent: (event) => console.log(event.type, 'operation' in event ? event.operation.id : ''),
      });
      console.log('done:', outcome.done, 'left to do:', after?.operations.length);
    }
  } finally {
    await open.close();
  }
} catch (error) {
  if (!(error instanceof Problems)) throw error;
  for (const { message, hint } of error.diagnostics) console.error(message, hint ?? '');
} finally {
  await twin.close();
  rmSync(cwd, { recursive: true });
}
