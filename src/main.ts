import { run } from './cli/program.ts';

let isDone = false;
// If nothing is left to wait for, and there is no answer: that is no success.
process.once('beforeExit', () => {
  if (!isDone) process.exitCode ||= 13;
});
void run(async () => (await import('../providers/hosting/index.ts')).hosting, process.argv).then(() => {
  isDone = true;
});
