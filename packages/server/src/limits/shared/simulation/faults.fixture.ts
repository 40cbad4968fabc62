import type { SimulatedNode } from './node.fixture.ts'
import type { VirtualTime } from './virtual-time.fixture.ts'
import type { SimulatedWorld } from './world.fixture.ts'

const secondUs = 1_000_000

/** Random faults of nodes, links, cache and store. */
export class Faults {
  readonly #world: SimulatedWorld
  readonly #time: VirtualTime
  readonly #nodes: readonly SimulatedNode[]
  readonly #print: (text: string) => void

  constructor(world: SimulatedWorld, nodes: readonly SimulatedNode[], print: (text: string) => void) {
    this.#world = world
    this.#time = world.time
    this.#nodes = nodes
    this.#print = print
  }

  /** Lets one thing fail for some time. */
  fail(): void {
    const time = this.#time
    const durationUs = time.between(1, time.random(3) === 0 ? 8 * secondUs : secondUs)
    const faults = [
      () => this.#kill(durationUs),
      () => this.#kill(durationUs),
      () => this.#stop(durationUs),
      () => this.#stop(durationUs),
      () => this.#cutOff(['cache'], durationUs),
      () => this.#cutOff(['store'], durationUs),
      () => this.#cutOff(['cache', 'store'], durationUs),
      () => this.#restartCache(durationUs),
      () => this.#stopStore(durationUs),
      () => this.#failFolds(durationUs),
      () => this.#flush(),
      () => this.#isolate(),
      () => this.#slowDown(durationUs),
    ]
    faults[time.random(faults.length)]!()
  }

  /** Leaves behind units that the cache does not know. */
  leaveUnknownUnits(): void {
    if (this.#time.random(2) === 0) this.#isolate()
    else this.#cutOff(['cache'], 4 * secondUs)
  }

  #anyNode(): SimulatedNode {
    return this.#nodes[this.#time.random(this.#nodes.length)]!
  }

  #kill(durationUs: number): void {
    const node = this.#anyNode()
    this.#print(`${node.name} is killed for ${durationUs}`)
    node.kill()
    this.#time.at(this.#time.nowUs + durationUs, () => {
      if (node.mode === 'dead') node.start()
    })
  }

  #stop(durationUs: number): void {
    const node = this.#anyNode()
    this.#print(`${node.name} is stopped for ${durationUs}`)
    node.stopUntil(this.#time.nowUs + durationUs)
  }

  #cutOff(links: readonly ('cache' | 'store')[], durationUs: number): void {
    const node = this.#anyNode()
    this.#print(`${node.name} is cut off from ${links.join(' and ')} for ${durationUs}`)
    for (const link of links) node.cutUntilUs[link] = this.#time.nowUs + durationUs
  }

  #restartCache(durationUs: number): void {
    this.#print(`the cache restarts within ${durationUs}`)
    const { cache } = this.#world
    cache.states.restart()
    cache.life++
    cache.downUntilUs = this.#time.nowUs + durationUs
  }

  #stopStore(durationUs: number): void {
    this.#print(`the store is down for ${durationUs}`)
    const { store } = this.#world
    store.life++
    store.downUntilUs = this.#time.nowUs + durationUs
  }

  /** Lets folds fail, most often those that nodes without the cache make before they return. */
  #failFolds(durationUs: number): void {
    this.#print(`folds fail for ${durationUs}`)
    const { store, time } = this.#world
    store.foldsFailUntilUs = time.nowUs + durationUs
    if (time.random(2) === 0) this.#cutOff(['cache'], Math.floor(durationUs / 2))
  }

  #flush(): void {
    this.#print('the cache is flushed')
    const { states } = this.#world.cache
    states.texts.clear()
    states.expireEpoch()
  }

  /** Lets the others open an epoch without a node that decided in the old one. */
  #isolate(): void {
    const time = this.#time
    this.#cutOff(['store'], time.between(4 * secondUs, 7 * secondUs))
    time.at(time.nowUs + time.between(3 * secondUs, 4 * secondUs), () => this.#restartCache(1))
  }

  #slowDown(durationUs: number): void {
    this.#print(`messages are slow for ${durationUs}`)
    this.#world.slowUntilUs = this.#time.nowUs + durationUs
  }
}
