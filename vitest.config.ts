import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { compiledSources } from './test/support/compiled.ts';
import { CostReporter } from './test/support/cost-reporter.ts';

// For what hangs: nothing fails because the machine is slow, or because a sweep is long.
const hang = process.env.TRUEUP_SWEEP === 'all' ? 36_000_000 : 900_000;

// The browser's client has each promise of its process followed from then on, and keeps 100 MB.
const followingPromises = 'test/report/html/browser.test.ts';

// Starting a process copies the page tables of the process that starts it: with a heap of 600 MB that takes 18 ms, longer than most git commands.
// So these files run with a small heap, and `setup.ts` collects the garbage of files that leave much of it.
const startingProcesses = [
  'test/git/**',
  'test/fleet/**',
  'test/github/**',
  'test/ledger/**',
  'test/package/**',
  'test/stores/**',
  'test/adversarial/**',
  'test/workspace/**',
  'test/reuse/{agency,guide}.test.ts',
  'test/readme.test.ts',
  'test/accept/{golden,workspace,writing}.test.ts',
  'test/ci/{examples,generated,init,lint,names}.test.ts',
  'test/actions/then.test.ts',
  'test/{app,export}/export-values.test.ts',
  'test/shapes/secret-to.test.ts',
  'test/guards/guards.test.ts',
  'test/run/canary.test.ts',
  'test/docs/run.test.ts',
  'test/history/{drift-with-a-name,find-undo-base,ledger-deeds,records,undo,undo-base,undo-samples}.test.ts',
  'test/budget/postgres.test.ts',
  'test/cli/{completion,ledger-stores,prompt,rate-limits,render}.test.ts',
  'test/sweep/{concurrent,fleet,killed,killed-equal,killed-stacks,same-moment}.test.ts',
  'test/report/sarif.test.ts',
  followingPromises,
];

// V8 of Node 20 optimizes functions early; most of a test's are called too seldom for that to pay: a fifth less in all.
const seldomCalled = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=1000000'] : [];

// What a test makes is garbage soon: with room for it, and no threads that look for it at once, a tenth less. What is kept from file to file
// stays: a heap that is large from the beginning is not marked again and again while it grows, which is another tenth. Where processes are
// started every page that is in use costs.
const oneThread = '--single-threaded-gc';
const room = ['--max-semi-space-size=64', '--min-semi-space-size=32', '--initial-heap-size=1000'];

// In files that start processes, collecting garbage takes an eighth of the time with room of 4 MB for new objects. With 16 MB these files take 3% less;
// with 32 MB, 1% more than that, because every page that is in use costs.
const roomBesideProcesses = ['--max-semi-space-size=16', '--min-semi-space-size=16'];

// A function is compiled to machine code at its first call rather than after some hundred: 2% less.
const compiledAtOnce = '--always-sparkplug';

/** The usual order, but last the files after which all others in the same process would take longer. */
class CostlyLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isCostly = ({ moduleId }: TestSpecification) => moduleId.endsWith(followingPromises);
    return [...sorted.filter((file) => !isCostly(file)), ...sorted.filter(isCostly)];
  }
}

export default defineConfig({
  plugins: [compiledSources],
  test: {
    globalSetup: ['test/support/build.ts', 'test/support/compiled.ts', 'test/support/temporary.ts'],
    setupFiles: ['test/support/setup.ts'],
    // One worker for each thread: each loads everything once, and more of them cost a fifth more and save no time.
    maxWorkers: '100%',
    // Nothing here keeps state between files, and loading the same modules for each of them takes longer than most tests.
    isolate: false,
    execArgv: seldomCalled,
    // The style of the page, which is imported as text.
    css: true,
    // What was transformed once is not transformed again in the next run.
    experimental: { fsModuleCache: true },
    reporters: ['default', new CostReporter()],
    sequence: { sequencer: CostlyLast },
    testTimeout: hang,
    hookTimeout: hang,
    projects: [
      {
        extends: true,
        test: {
          name: 'processes',
          include: startingProcesses.map((at) => (at.endsWith('**') ? `${at}/*.test.ts` : at)),
          execArgv: [oneThread, '--expose-gc', ...roomBesideProcesses, compiledAtOnce],
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'functions',
          include: ['test/**/*.test.ts'],
          exclude: startingProcesses,
          execArgv: [oneThread, ...room, compiledAtOnce],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
