import PerennialCommands

await Perennial.start()
