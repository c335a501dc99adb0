import fc from 'fast-check';

// The same cases in every run, so that a red build is the change's fault; TRUEUP_SEED looks elsewhere.
fc.configureGlobal({ seed: Number(process.env.TRUEUP_SEED ?? 20_261_121) });
