import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { measured } from '../measure.ts';
import { Workplace } from '../workplace.ts';
import { buildReadable } from './build-readable.ts';
import { FrameReader, readCpuProfile, readHeapProfile } from './read-profiles.ts';
import { formatOwn, formatPhases, formatWithCalls, formatWorks, type WorkProfile } from './tables.ts';
import { type Work, works } from './works.ts';

/**
 * Profiles the works of these names (all without names), and prints for each where time and allocations go. The profiles stay in a folder
 * whose name is printed last: a viewer, such as that of a browser's developer tools, opens them. Throws if there is no such work.
 */
export async function profileWorks(names: string[]): Promise<void> {
  const unknown = names.filter((name) => !works.some((work) => work.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no work ${unknown.join(', ')}; there are: ${works.map(({ name }) => name).join(', ')}`,
    );
  const readable = await buildReadable();
  const folder = resolve(
    'node_modules/.cache/trueup/profiles',
    new Date().toISOString().replaceAll(':', '-'),
  );
  mkdirSync(folder, { recursive: true });
  const profiles = new Map<string, WorkProfile>();
  for (const work of works) {
    if (names.length > 0 && !names.includes(work.name)) continue;
    const workProfile = await profile(work, readable, folder);
    profiles.set(work.name, workProfile);
    console.log(formatPhases(workProfile));
    const { time, allocations } = workProfile;
    console.log(`\n  Time by function, with what it calls:\n${formatWithCalls(time, 30)}`);
    console.log(`\n  Time by function alone:\n${formatOwn(time, 15)}`);
    console.log(`\n  Allocations by function, with what it calls:\n${formatWithCalls(allocations, 20)}\n`);
  }
  if (profiles.size > 1) console.log(`${formatWorks(profiles)}\n`);
  console.log(`The profiles are in ${folder}`);
}

/** Runs a work as users do for its CPU time, then for its CPU profiles, then for its allocations, each time in the same state. */
async function profile(work: Work, readable: string, folder: string): Promise<WorkProfile> {
  const place = new Workplace(work.yaml);
  const frames = new FrameReader();
  const heapProfile = join(folder, `${work.name}.heapprofile`);
  const begin = async () => {
    await place.begin();
    await work.prepare?.(place);
  };
  try {
    await begin();
    const { cpu, seconds, memory } = await measured(place.command(...work.args));
    const cpuProfiles = Array.from({ length: work.runs }, (_, run) => `${work.name}.${run + 1}.cpuprofile`);
    for (const cpuProfile of cpuProfiles) {
      await begin();
      const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${work.interval}`];
      await measured(place.nodeCommand(...flags, `--cpu-prof-name=${cpuProfile}`, readable, ...work.args));
    }
    await begin();
    const allocations = place.nodeCommand(
      '--require',
      resolve('test/bench/profile/record-allocations.cjs'),
      readable,
      ...work.args,
    );
    await measured({ ...allocations, env: { ...allocations.env, TRUEUP_HEAP_PROFILE: heapProfile } });
    const figures = [
      `${(cpu ?? seconds).toFixed(2)} s of CPU`,
      ...(memory ? [`${memory.toFixed(0)} MiB`] : []),
    ];
    console.log(`${work.name}: ${work.description} (without a profiler: ${figures.join(', ')})`);
    return {
      time: cpuProfiles.flatMap((cpuProfile) => readCpuProfile(join(folder, cpuProfile), frames)),
      allocations: readHeapProfile(heapProfile, frames),
      cpuSeconds: cpu ?? seconds,
    };
  } finally {
    await place.remove();
  }
}
