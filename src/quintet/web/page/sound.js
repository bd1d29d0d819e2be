// A short tap when a stone is placed; off until somebody wants it.

import { recalled, remember } from "./remembered.js";

const KEY = "quintet.sound";
const [PITCH, SECONDS, LOUDNESS] = [420, 0.07, 0.15];

let context = null;

export const sounds = {
  get on() {
    return recalled(KEY) === "on";
  },

  set on(wanted) {
    remember(KEY, wanted ? "on" : "off");
  },

  placed() {
    if (!this.on) return;
    context ??= new AudioContext();
    const tone = new OscillatorNode(context, { frequency: PITCH, type: "triangle" });
    const volume = new GainNode(context, { gain: LOUDNESS });
    volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + SECONDS);
  },
};
