import { version } from './model/version.ts';

const [, , ...argv] = process.argv;
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) printVersion();
else runProgram();

/** Prints the version without loading the program, because editors and scripts ask for it often. Fails if the output cannot be written. */
function printVersion(): void {
  process.stdout.on('error', () => {
    process.exitCode = 1;
  });
  process.stdout.write(`${version}\n`);
}

/** Runs the command line of this process: reads the arguments, carries out the command, and sets the exit code. */
async function runProgram(): Promise<void> {
  let isDone = false;
  // If the process ends because nothing is left to wait for, although the run has not returned, that is a failure.
  process.once('beforeExit', () => {
    if (!isDone) process.exitCode ||= 13;
  });
  const { run } = await import('./cli/program.ts');
  const { processHost } = await import('./process-host.ts');
  const code = await run(
    argv,
    processHost(),
    async () => (await import('../providers/hosting/index.ts')).hosting,
  );
  // Set, never forced, so that all output gets out.
  process.exitCode = code;
  isDone = true;
}
