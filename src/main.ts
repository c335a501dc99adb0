import { run } from './cli/program.ts';
import { processHost } from './process-host.ts';

let isDone = false;
// If the process ends because nothing is left to wait for, although the run has not returned, that is a failure.
process.once('beforeExit', () => {
  if (!isDone) process.exitCode ||= 13;
});
const [, , ...argv] = process.argv;
void run(argv, processHost(), async () => (await import('../providers/hosting/index.ts')).hosting).then(
  (code) => {
    // Set, never forced, so that all output gets out.
    process.exitCode = code;
    isDone = true;
  },
);
