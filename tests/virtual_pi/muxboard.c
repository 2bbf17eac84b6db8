// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The GPIO chip of a Raspberry Pi 4 with a board's multiplexers soldered to it.
 *
 * Each chip connects the contact that the select lines choose to its signal line. A contact that is closed
 * pulls the line down at once; when it is left, the line takes rise_ns to come up again, as through a
 * resistor. Contact c of chip k is bit c + (k << number of select lines) of `closed`.
 */
#include <linux/gpio/driver.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

#define LINES 54
#define CHIPS 6

static int select[5] = { 17, 27, 22 };
static int selects = 3;
module_param_array(select, int, &selects, 0444);
static int signal[CHIPS] = { 23, 24, 25 };
static int signals = 3;
module_param_array(signal, int, &signals, 0444);

static ulong closed;
module_param(closed, ulong, 0644);
static ulong dead; /* chips without power: bit k */
module_param(dead, ulong, 0644);
static ulong rise_ns = 7000;
module_param(rise_ns, ulong, 0644);

static DEFINE_RAW_SPINLOCK(lock);
static u64 level, output;
static ktime_t up_at[CHIPS];

static unsigned int address(void)
{
	unsigned int bit, chosen = 0;

	for (bit = 0; bit < selects; bit++)
		if (level & BIT_ULL(select[bit]))
			chosen |= BIT(bit);
	return chosen;
}

static bool pulls(unsigned int chip, unsigned int contact)
{
	return !(dead & BIT(chip)) && closed & BIT((chip << selects) + contact);
}

static int board_get(struct gpio_chip *gc, unsigned int line)
{
	unsigned long flags;
	unsigned int chip;
	int high = 1;

	raw_spin_lock_irqsave(&lock, flags);
	if (output & BIT_ULL(line))
		high = !!(level & BIT_ULL(line));
	for (chip = 0; chip < signals; chip++)
		if (signal[chip] == line)
			high = !pulls(chip, address()) && ktime_after(ktime_get(), up_at[chip]);
	raw_spin_unlock_irqrestore(&lock, flags);
	return high;
}

static void board_set(struct gpio_chip *gc, unsigned int line, int high)
{
	unsigned int before, chip;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	before = address();
	level = high ? level | BIT_ULL(line) : level & ~BIT_ULL(line);
	for (chip = 0; before != address() && chip < signals; chip++)
		if (pulls(chip, before))
			up_at[chip] = ktime_add_ns(ktime_get(), rise_ns);
	raw_spin_unlock_irqrestore(&lock, flags);
}

static int board_input(struct gpio_chip *gc, unsigned int line)
{
	output &= ~BIT_ULL(line);
	return 0;
}

static int board_output(struct gpio_chip *gc, unsigned int line, int high)
{
	board_set(gc, line, high);
	output |= BIT_ULL(line);
	return 0;
}

static int board_direction(struct gpio_chip *gc, unsigned int line)
{
	return output & BIT_ULL(line) ? GPIO_LINE_DIRECTION_OUT : GPIO_LINE_DIRECTION_IN;
}

static int board_config(struct gpio_chip *gc, unsigned int line, unsigned long config)
{
	return 0; /* the resistor of every line is there, whatever is asked for */
}

static struct gpio_chip board = {
	.label = "pinctrl-bcm2711",
	.owner = THIS_MODULE,
	.base = -1,
	.ngpio = LINES,
	.get = board_get,
	.set = board_set,
	.direction_input = board_input,
	.direction_output = board_output,
	.get_direction = board_direction,
	.set_config = board_config,
};

static struct platform_device *device;

static int __init board_init(void)
{
	int error;

	device = platform_device_register_simple("muxboard", -1, NULL, 0);
	if (IS_ERR(device))
		return PTR_ERR(device);
	board.parent = &device->dev;
	error = gpiochip_add_data(&board, NULL);
	if (error)
		platform_device_unregister(device);
	return error;
}

static void __exit board_exit(void)
{
	gpiochip_remove(&board);
	platform_device_unregister(device);
}

module_init(board_init);
module_exit(board_exit);
MODULE_DESCRIPTION("A Pi's GPIO chip with a board's multiplexers on it");
MODULE_LICENSE("Dual MIT/GPL");
