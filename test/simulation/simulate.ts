import { planWorld } from './plan.js';
import { runPlan } from './run.js';
const seed = Number(process.argv[2] ?? 1);
const days = Number(process.argv[3] ?? 0.25);
const began = performance.now();
const outcome = await runPlan(planWorld({ seed, days, relays: null }));
const s = (performance.now() - began) / 1000;
console.log(outcome.tail.slice(-30).join('\n'));
console.log(outcome.violation, outcome.orders, outcome.digest, s.toFixed(1), (outcome.orders / s * 60).toFixed(0));
