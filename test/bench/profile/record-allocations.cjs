// Loaded with `--require`: writes an allocation profile to TRUEUP_HEAP_PROFILE when the process exits. `--heap-prof` of Node.js reports only
// objects that are alive at the end; this one also counts those that the garbage collector removed.
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');

const session = new Session();
session.connect();
session.post('HeapProfiler.startSampling', {
  samplingInterval: 64 * 1024,
  includeObjectsCollectedByMajorGC: true,
  includeObjectsCollectedByMinorGC: true,
});
process.on('exit', () => {
  // Called before `post` returns.
  session.post('HeapProfiler.stopSampling', (error, result) => {
    if (error) throw error;
    writeFileSync(process.env.TRUEUP_HEAP_PROFILE, JSON.stringify(result.profile));
  });
});
